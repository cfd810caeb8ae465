import { merchants, people } from '../../../local/seed/accounts';
import { interviewId } from '../../../local/seed/fixed-id';
import { signIn } from '../../harness/identity/accounts';
import { peopleCalls } from '../../harness/people/people';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let calls: ReturnType<typeof peopleCalls>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  calls = peopleCalls(platform);
});

const accountTypes = ['merchant_owner', 'merchant', 'merchant_selection', 'user', 'mentor'] as const;
const coaching = new Set<string>(['user', 'mentor']);
const addedAs = (type: string) => (coaching.has(type) ? 'CoachingAccessAdded' : 'SubMerchantAdded');
const inviteOne = async (user: unknown, more: Record<string, unknown> = {}, token?: string) =>
  (await calls.invite([user], more, token === undefined ? {} : { token }))[0];
const resultOf = async (...call: Parameters<typeof inviteOne>) => (await inviteOne(...call))?.result;
const accountOf = async (email: string) =>
  (
    await platform.database.rows(
      `select id, merchant_id, role, name, email, platform_language_code, activated_at from profile
       where lower(email) = lower($1) and role <> 'candidate'`,
      [email],
    )
  )[0];
const mailsFor = (email: string) =>
  platform.database.rows<{ id: string; kind: string }>(
    `select m.id, m.kind from mail m join profile p on p.id = m.profile_id where lower(p.email) = lower($1)
     order by m.created_at`,
    [email],
  );
const activate = (email: string) =>
  platform.database.rows('update profile set activated_at = now() where lower(email) = lower($1)', [email]);

describe('invite-users', () => {
  it.each(accountTypes)('stores a pending account of a new %s and one mail', async (type) => {
    const email = `new-${type}@example.com`;
    expect(await inviteOne({ email, type })).toMatchObject({ type, result: 'Invited' });
    expect(await accountOf(email)).toMatchObject({ role: type, activated_at: null });
    expect(await mailsFor(email)).toMatchObject([
      { kind: coaching.has(type) ? 'coaching_invitation' : 'team_invitation' },
    ]);
  });
});

// All types that get a team invitation behave like `merchant`, and all types that get a coaching invitation like
// `user`.
describe.each(['merchant', 'user'] as const)('invite-users, type %s', (type) => {
  const email = `first-${type}@example.com`;
  const kind = coaching.has(type) ? 'coaching_invitation' : 'team_invitation';

  it('returns Invited for a new person, with a pending account here and one mail', async () => {
    const row = await inviteOne({ email, name: 'Newcomer', type });
    const account = await accountOf(email);
    expect(row).toEqual({
      email,
      name: 'Newcomer',
      type,
      interview_id: null,
      result: 'Invited',
      code: 'invited',
      profile_id: account?.['id'],
      profile_interview_id: null,
    });
    expect(account).toMatchObject({
      merchant_id: merchants.main.id,
      role: type,
      activated_at: null,
      platform_language_code: 'en',
    });
    expect(await mailsFor(email)).toMatchObject([{ kind }]);
  });

  it('returns Skipped for a pending person, and mails again with force_invite', async () => {
    const { profile_id } = (await inviteOne({ email: email.toUpperCase(), type })) ?? {};
    expect(profile_id).toBe((await accountOf(email))?.['id']);
    expect(await resultOf({ email, type })).toBe('Skipped');
    expect(await mailsFor(email)).toHaveLength(1);
    expect(await resultOf({ email, type }, { force_invite: true })).toBe('Invited');
    expect(await mailsFor(email)).toMatchObject([{ kind }, { kind }]);
  });

  it('returns Skipped for a pending person of another type, and an error with force_invite', async () => {
    const other = 'mentor';
    const [before, mails] = [await accountOf(email), await mailsFor(email)];
    expect(await resultOf({ email, type: other })).toBe('Skipped');
    expect(await resultOf({ email, type: other }, { force_invite: true })).toBe(
      `Error: This person was already invited as ${type}. An invitation cannot change a role.`,
    );
    expect([await accountOf(email), await mailsFor(email)]).toEqual([before, mails]);
  });

  it.each([
    ['pending', 'pending'],
    ['active', 'active'],
  ])(
    'gives a person who is %s at another merchant access here, and leaves the account unchanged',
    async (state) => {
      const elsewhere = `${state}-elsewhere-${type}@example.com`;
      const key = platform.stack.service_key;
      expect(
        await resultOf({ email: elsewhere, type: 'merchant' }, { merchant_id: merchants.other.id }, key),
      ).toBe('Invited');
      if (state === 'active') await activate(elsewhere);
      const before = await accountOf(elsewhere);
      expect(await inviteOne({ email: elsewhere, type })).toMatchObject({
        result: addedAs(type),
        profile_id: before?.['id'],
      });
      expect(await accountOf(elsewhere)).toEqual(before);
      expect((await mailsFor(elsewhere)).map((mail) => mail.kind)).toEqual(['team_invitation', kind]);
      const [access] = await platform.database.rows(
        'select merchant_id, role from merchant_access where profile_id = $1',
        [before?.['id']],
      );
      expect(access).toEqual({ merchant_id: merchants.main.id, role: type });
      expect(await resultOf({ email: elsewhere, type })).toBe(state === 'active' ? 'Activated' : 'Skipped');
    },
  );

  it('returns Activated for an active person, also with force_invite, without a mail or a change', async () => {
    for (const force_invite of [false, true])
      expect(await inviteOne({ email: people.merchant.email, type }, { force_invite })).toMatchObject({
        result: 'Activated',
        profile_id: people.merchant.id,
      });
    expect(await mailsFor(people.merchant.email)).toEqual([]);
    expect(await accountOf(people.merchant.email)).toMatchObject({ role: 'merchant' });
  });
});

describe('invite-users, a row', () => {
  it('about the same person is Skipped the second time, whatever its type and case', async () => {
    const rows = await calls.invite(
      [
        { email: 'twin@example.com', type: 'merchant' },
        { email: 'TWIN@example.com', type: 'user' },
        { email: 'twin@example.com', type: 'candidate', interview_id: interviewId('active') },
      ],
      { force_invite: true },
    );
    expect(rows.map(({ result }) => result)).toEqual(['Invited', 'Skipped', 'Invited']);
    expect(await accountOf('twin@example.com')).toMatchObject({ role: 'merchant' });
  });

  it('with an error does not make a later correct row of the same person Skipped', async () => {
    const rows = await calls.invite(
      [
        { email: 'second@example.com', type: 'merchant_owner' },
        { email: 'second@example.com', type: 'merchant' },
      ],
      {},
      { token: platform.stack.tokens.merchant },
    );
    expect(rows.map(({ result }) => result)).toEqual([
      'Error: Only an owner can invite a merchant_owner.',
      'Invited',
    ]);
  });

  it('about a disabled account returns an error without a mail', async () => {
    await resultOf({ email: 'gone@example.com' });
    await platform.database.rows(`update profile set disabled_at = now() where email = 'gone@example.com'`);
    expect(await inviteOne({ email: 'gone@example.com' }, { force_invite: true })).toMatchObject({
      code: 'account_disabled',
      profile_id: null,
    });
    expect(await mailsFor('gone@example.com')).toHaveLength(1);
  });

  it('about a platform admin returns an error without access, mail and id', async () => {
    const { body } = await platform.call('invite-users', {
      body: { users: [{ email: people.admin.email, type: 'merchant' }] },
    });
    expect(body).toMatchObject([{ result: 'Error: This person cannot be invited.', profile_id: null }]);
    expect(
      await platform.database.rows('select from merchant_access where profile_id = $1', [people.admin.id]),
    ).toEqual([]);
    expect(await mailsFor(people.admin.email)).toEqual([]);
  });

  it('about a candidate of ours creates another account', async () => {
    const row = await inviteOne({ email: people.candidate.email, type: 'user' });
    expect(row?.result).toBe('Invited');
    expect(await accountOf(people.candidate.email)).toMatchObject({ role: 'user' });
  });
});

describe('invite-users, callers', () => {
  const owner = { email: 'boss@example.com', type: 'merchant_owner' };

  it('returns an error when a recruiter invites an owner, and invites the next row', async () => {
    const rows = await calls.invite(
      [owner, { email: 'next@example.com' }],
      {},
      { token: platform.stack.tokens.merchant },
    );
    expect(rows.map(({ result }) => result)).toEqual([
      'Error: Only an owner can invite a merchant_owner.',
      'Invited',
    ]);
    expect(await accountOf(owner.email)).toBeUndefined();
  });

  it.each([
    ['merchant_owner', 'Invited'],
    ['admin', 'Invited'],
    ['key', 'Error: Only an owner can invite a merchant_owner.'],
    ['platform-key', 'Error: Only an owner can invite a merchant_owner.'],
  ])('lets %s invite a recruiter, and for an owner returns %s', async (name, expected) => {
    const { tokens, merchant_service_key, service_key } = platform.stack;
    const token = { ...tokens, key: merchant_service_key, 'platform-key': service_key }[name];
    const invite = (type: string) =>
      resultOf({ email: `${type}-by-${name}@example.com`, type }, { merchant_id: merchants.main.id }, token);
    expect(await invite('merchant')).toBe('Invited');
    expect(await invite('merchant_owner')).toBe(expected);
  });

  it('returns an error when a recruiter who is an owner at another merchant invites an owner', async () => {
    await platform.database.rows(
      `insert into merchant_access (merchant_id, profile_id, role) values ($1, $2, 'merchant')`,
      [merchants.other.id, people.merchant_owner.id],
    );
    const { access_token: token } = await signIn(platform, 'merchant_owner');
    expect(await resultOf(owner, { merchant_id: merchants.other.id }, token)).toMatch(
      /^Error: Only an owner/,
    );
    await platform.database.rows('delete from merchant_access where profile_id = $1', [
      people.merchant_owner.id,
    ]);
  });
});

describe('invite-users, the mail', () => {
  it('returns the reply again with an Idempotency-Key, and sends one mail', async () => {
    const call = () =>
      calls.tryInvite(
        [{ email: 'idem@example.com' }],
        { force_invite: true },
        { headers: { 'idempotency-key': 'invite once' } },
      );
    const [first, second] = [await call(), await call()];
    expect([first.status, second.text, second.headers.get('idempotency-replayed')]).toEqual([
      200,
      first.text,
      'true',
    ]);
    expect(await mailsFor('idem@example.com')).toHaveLength(1);
  });
});
