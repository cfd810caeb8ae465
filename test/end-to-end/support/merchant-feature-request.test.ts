import { people } from '../../../local/seed/accounts';
import { insist } from '../../harness/platform/insist';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { featureCalls } from '../../harness/support/feature-calls';

let platform: Platform;
let features: ReturnType<typeof featureCalls>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  features = featureCalls(platform);
});
beforeEach(() => features.forget());
afterEach(() => platform.clearFaults());

const title = () => expect.getState().currentTestName?.slice(-100) ?? '';

describe('merchant-feature-request', () => {
  it('posts the trimmed request under the caller’s name, and says so', async () => {
    const reply = await features.ask(
      'Dark mode',
      {},
      { title: '  Dark mode ', description: ' For late hours. \n' },
    );
    expect(reply.status).toBe(200);
    const [row] = await features.rowsTitled('Dark mode');
    expect(reply.body).toEqual({ id: row?.id, status: 'posted' });
    expect(row).toMatchObject({ status: 'posted', merchant_id: platform.stack.merchant_id });
    expect(await features.postsTitled('Dark mode')).toEqual([
      {
        id: row?.post_id,
        author_email: people.merchant_owner.email,
        title: 'Dark mode',
        details: 'For late hours.',
      },
    ]);
    expect(JSON.stringify(await platform.fake('/posts'))).not.toMatch(/northwind talent/i);
  });

  it('is available to a recruiter, and to an admin and an operator for the merchant that they name', async () => {
    const { tokens, sub_merchant_id: subMerchant } = platform.stack;
    const asked = [
      await features.ask('Of a recruiter', { token: tokens.merchant }),
      await features.ask('Of an operator', { token: tokens.operator }, { merchant_id: subMerchant }),
      await features.ask('Of an admin', { token: tokens.admin }, { merchant_id: subMerchant }),
      await features.ask('Of an owner', {}, { merchant_id: platform.stack.other_merchant_id }),
    ];
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const owners = ['Of a recruiter', 'Of an operator', 'Of an admin', 'Of an owner'].map(
      async (each) => (await features.rowsTitled(each))[0]?.merchant_id,
    );
    const { merchant_id: merchant } = platform.stack;
    expect(await Promise.all(owners)).toEqual([merchant, subMerchant, subMerchant, merchant]);
  });

  it('returns 403 to all others, and 422 to an admin without a merchant or with an unknown one', async () => {
    const { tokens, service_key: key, merchant_service_key: merchantKey } = platform.stack;
    for (const token of [tokens.merchant_selection, tokens.user, key, merchantKey]) {
      const refused = await features.ask(
        'Not allowed',
        { token },
        { merchant_id: platform.stack.merchant_id },
      );
      expect(refused.status).toBe(403);
    }
    expect((await features.ask('Not allowed', { token: 'no token' })).status).toBe(401);
    const foreign = { merchant_id: platform.stack.other_merchant_id };
    expect((await features.ask('Not allowed', { token: tokens.operator }, foreign)).status).toBe(403);
    for (const more of [{}, { merchant_id: '0198a000-0000-7000-8000-00000000ffff' }]) {
      const refused = await features.ask('Not allowed', { token: tokens.admin }, more);
      expect([refused.status, refused.body.name]).toEqual([422, 'merchant_id']);
    }
    expect(await features.rowsTitled('Not allowed')).toEqual([]);
  });

  it.each([
    ['description', undefined, 'description is required.'],
    [
      'title',
      'Mail to ann@example.com',
      'title must not contain an email address, because the board is public.',
    ],
    [
      'description',
      'Call us on +31 6 12345678',
      'description must not contain a phone number, because the board is public.',
    ],
    [
      'description',
      'All of NORTHWIND talent want it',
      'description must not contain the name of your company, because the board is public.',
    ],
  ])('returns 422 for %s %p, stores nothing and posts nothing', async (name, value, error) => {
    const refused = await features.ask('A refused one', {}, { [name]: value });
    expect([refused.status, refused.body.error, refused.body.name]).toEqual([422, error, name]);
    expect(await platform.database.rows('select from feature_request')).toEqual([]);
  });

  it('rejects the names of both companies from an operator at a sub-merchant', async () => {
    const { tokens, sub_merchant_id: subMerchant } = platform.stack;
    const companies = await platform.database.rows<{ name: string }>(
      `select m.name from merchant m where m.id in ($1, (select merchant_id from profile where id = $2))`,
      [subMerchant, people.operator.id],
    );
    expect(companies).toHaveLength(2);
    for (const { name } of companies) {
      const more = { merchant_id: subMerchant, description: `We at ${name} need it` };
      const refused = await features.ask('Of an operator', { token: tokens.operator }, more);
      expect([refused.status, refused.body.name]).toEqual([422, 'description']);
    }
  });

  it.each([
    ['😀'.repeat(119) + 'é', 'of 120 characters'],
    ['Contoso Retail has it too', 'with another company’s name'],
  ])('posts a title %s (%s)', async (given) => {
    expect((await features.ask(given, {}, { description: 'y'.repeat(4_000) })).status).toBe(200);
    expect(await features.postsTitled(given)).toHaveLength(1);
  });

  it('posts exactly 5 of 20 simultaneous requests, and returns 429 with the time to wait for the others', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, place) => insist(() => features.ask(`At once, no. ${place}`))),
    );
    const posted = replies.filter(({ status }) => status === 200);
    const refused = replies.filter(({ status }) => status === 429);
    expect([posted.length, refused.length]).toEqual([5, 15]);
    for (const { headers, body } of refused) {
      expect(body.error).toBe('You sent 5 feature requests in the last 24 hours. Try again later.');
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(86_000);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
    }
    expect(await platform.database.rows('select from feature_request')).toHaveLength(5);
  });

  it.each([
    [
      'one title and five descriptions',
      (place: number) => ({ description: `It would help me, no. ${place}` }),
    ],
    ['one title and one description', () => ({})],
  ])('posts and records five simultaneous requests of a person with %s', async (situation, more) => {
    const replies = await Promise.all(
      [1, 2, 3, 4, 5].map((place) => features.ask(situation, {}, more(place))),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const [posts, rows] = [await features.postsTitled(situation), await features.rowsTitled(situation)];
    const inOrder = (ids: (string | null)[]) => ids.toSorted((a, b) => `${a}`.localeCompare(`${b}`));
    expect(inOrder(rows.map(({ post_id }) => post_id))).toEqual(inOrder(posts.map(({ id }) => id)));
    expect(new Set(posts.map(({ id }) => id)).size).toBe(5);
    expect(new Set(posts.map(({ details }) => details)).size).toBe(
      situation.endsWith('five descriptions') ? 5 : 1,
    );
  });

  it('counts five requests of a person at all merchants together, separately for each person and day', async () => {
    const { tokens, sub_merchant_id: subMerchant } = platform.stack;
    const asAdmin = (merchant_id: string) =>
      features.ask('Of an admin', { token: tokens.admin }, { merchant_id });
    for (const merchant of [platform.stack.merchant_id, subMerchant, platform.stack.other_merchant_id])
      expect((await asAdmin(merchant)).status).toBe(200);
    for (const _ of [4, 5]) expect((await asAdmin(subMerchant)).status).toBe(200);
    expect((await asAdmin(platform.stack.merchant_id)).status).toBe(429);
    expect((await features.ask('Of an owner')).status).toBe(200);
    await platform.database.rows(
      `update feature_request set created_at = created_at - interval '24 hours'
       where id = (select id from feature_request where profile_id = $1 order by created_at limit 1)`,
      [people.admin.id],
    );
    expect((await asAdmin(subMerchant)).status).toBe(200);
    expect((await asAdmin(subMerchant)).status).toBe(429);
  });

  it('returns the same reply for a repeated Idempotency-Key, and 422 for another body', async () => {
    const headers = { 'idempotency-key': `feature ${title()}`.replaceAll(/[^ -~]/g, '') };
    const first = await features.ask('Once only', { headers });
    const again = await features.ask('Once only', { headers });
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await features.ask('Another one', { headers })).status).toBe(422);
    expect(await features.postsTitled('Once only')).toHaveLength(1);
    expect(await features.rowsTitled('Once only')).toHaveLength(1);
  });

  it('does not count a rejected text, and releases the idempotency key', async () => {
    const headers = { 'idempotency-key': 'refused first' };
    for (let call = 0; call < 6; call++)
      expect((await features.ask('Mail ann@example.com', { headers })).status).toBe(422);
    expect((await features.ask('Better words', { headers })).status).toBe(200);
  });
});
