import { people } from '../../../local/seed/accounts';
import { eachRow } from '../../harness/each-row';
import { insist } from '../../harness/platform/insist';
import { openOperationsWith } from '../../harness/platform/operations-with-worker';
import type { OperationsWithWorker } from '../../harness/platform/operations-with-worker';
import { boardUnavailable, featureCalls } from '../../harness/support/feature-calls';
import { startFeatureWorker } from '../../harness/support/feature-worker';

let platform: OperationsWithWorker;
beforeAll(async () => {
  platform = await openOperationsWith(await startFeatureWorker());
});

let features: ReturnType<typeof featureCalls>;
beforeAll(async () => {
  features = featureCalls(platform);
});
beforeEach(() => features.forget());
afterEach(() => platform.clearFaults());

describe('merchant-feature-request', () => {
  it('returns 422 for a text that is missing or must not be public, stores nothing and posts nothing', () =>
    eachRow(
      [
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
      ],
      async (name, value, error) => {
        const refused = await features.ask('A refused one', {}, { [name]: value });
        expect([refused.status, refused.body.error, refused.body.name]).toEqual([422, error, name]);
        expect(await platform.database.rows('select from feature_request')).toEqual([]);
      },
    ));

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
});

describe('the board fails', () => {
  const fault = (asked: Record<string, unknown>) => platform.fault({ provider: 'board', ...asked });
  async function expectPostedOnce(title: string) {
    const posts = await features.postsTitled(title);
    const rows = await features.rowsTitled(title);
    expect(posts).toHaveLength(1);
    expect(rows).toEqual([expect.objectContaining({ status: 'posted', post_id: posts[0]?.id })]);
  }
  async function expectUnavailable(asking: ReturnType<typeof features.ask>, title: string) {
    const refused = await asking;
    expect([refused.status, refused.body]).toEqual([503, boardUnavailable]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await features.rowsTitled(title)).toEqual([]);
  }

  describe('merchant-feature-request when the board', () => {
    // Other errors of the board are tested in test/activities/support/feature-requests.test.ts.
    it('posts but loses its response: is posted once all the same', async () => {
      await fault({ accept: true, reset: true });
      expect((await features.ask('A lost response')).status).toBe(200);
      await expectPostedOnce('A lost response');
    });

    it('is unavailable for five calls: counts none of them, and posts five more', async () => {
      await fault({ status: 401, times: 5 });
      for (let call = 0; call < 5; call++) await expectUnavailable(features.ask('Uncounted'), 'Uncounted');
      expect(await features.postsTitled('Uncounted')).toEqual([]);
      for (let call = 1; call <= 5; call++)
        expect((await features.ask(`Counted, no. ${call}`)).status).toBe(200);
      expect((await features.ask('Counted, no. 6')).status).toBe(429);
    });
  });
});
