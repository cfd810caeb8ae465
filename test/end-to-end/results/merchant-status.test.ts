import { merchants, people } from '../../../local/seed/accounts';
import { interviewId } from '../../../local/seed/fixed-id';
import { makeKey, signIn } from '../../harness/identity/accounts';
import { cloneInterview, makePosition, peopleCalls } from '../../harness/people/people';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let calls: ReturnType<typeof peopleCalls>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  calls = peopleCalls(platform);
  // The merchant gets a time zone in which it is about noon, so that no new day begins there during the tests, which
  // count by days.
  const ahead = 12 - new Date().getUTCHours();
  await inZone(ahead < 0 ? `Etc/GMT+${-ahead}` : `Etc/GMT-${ahead}`);
});

const { other, sub, main } = merchants;
/** Returns the status of a merchant. The default merchant has never had an enrolment. */
const status = (more: { merchant_id?: string; token?: string } = {}) => {
  const { merchant_id = other.id, token = platform.stack.tokens.admin } = more;
  return calls.status({ token, query: { merchant_id } });
};
const rows = (text: string, values: unknown[] = []) => platform.database.rows(text, values);
const inZone = (zone: string) => rows('update merchant set time_zone = $2 where id = $1', [other.id, zone]);
const account = (changes: string) =>
  rows(`update credit_account set ${changes} where merchant_id = $1`, [other.id]);
const addResult = (changes: Record<string, unknown>) => {
  const columns = ['merchant_id', 'environment', 'interview_id', ...Object.keys(changes)];
  return rows(
    `insert into interview_result (${columns.join(', ')})
     values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    [other.id, 'production', interviewId('other'), ...Object.values(changes)],
  );
};
const addEnrolment = (email: string, position: string) =>
  rows(
    `with p as (
       insert into profile (merchant_id, role, email, email_key) values ($1, 'candidate', $2, $2)
       on conflict (merchant_id, email_key) where role = 'candidate' do update set email = excluded.email returning id
     )
     insert into enrolment (merchant_id, environment, interview_id, position_id, profile_id, email, email_key)
     select $1, 'production', $3, $4, p.id, $2, $2 from p`,
    [other.id, email, interviewId('other'), position],
  );

describe('merchant-status, an account without people', () => {
  it('returns all 20 fields, with the credits of the account', async () => {
    const reply = await status({ token: platform.stack.tokens.other_merchant_owner });
    expect(reply).toEqual({
      profile_id: people.other_merchant_owner.id,
      default_merchant_id: other.id,
      merchant_id: other.id,
      credits_interview_monthly: 40,
      credits_interview_monthly_limit: 40,
      credits_interview_extra: 5,
      credits_interview_single: 0,
      definitions_active: expect.any(Number),
      interviews_without_credits: 0,
      interviews_undecided: 0,
      interviews_ongoing: 0,
      interview_results: 0,
      candidates: 0,
      candidates_history: Array(14).fill(0),
      interview_result_history: Array(14).fill(0),
      subscription_type: 'Starter',
      subscription_status: 'active',
      invitations_sent: 0,
      invitations_limit: 180,
      invitations_available: 180,
    });
    expect(Object.keys(reply)).toHaveLength(20);
  });
});

describe('merchant-status, credits and invitations', () => {
  it('rounds credits down, but computes the limit from the exact credits', async () => {
    await account('monthly = 1.99, single = 0.99, extra = 0.27, monthly_limit = 40.5');
    expect(await status()).toMatchObject({
      credits_interview_monthly: 1,
      credits_interview_monthly_limit: 40,
      credits_interview_single: 0,
      credits_interview_extra: 0,
      invitations_limit: 13,
      invitations_available: 13,
    });
  });

  it('never returns a negative number of invitations, and has another budget outside production', async () => {
    await account('invitations_sent = 99');
    expect(await status()).toMatchObject({
      invitations_sent: 99,
      invitations_limit: 13,
      invitations_available: 0,
    });
    const uat = (await signIn(platform, 'admin', 'uat')).access_token;
    expect(await status({ token: uat })).toMatchObject({
      invitations_sent: 0,
      invitations_limit: 100,
      invitations_available: 100,
      credits_interview_monthly: 1,
    });
  });

  it.each([
    ['Special', 'active', null],
    ['Free', null, 13],
    ['Growth', 'past_due', 13],
    ['Starter', 'canceled', 13],
  ])('returns for plan %s, subscription %s the limit %s', async (plan, subscription, limit) => {
    // Without a subscription, periods are calendar months.
    await rows(
      `update credit_account set plan = $2, subscription_status = $3,
         period_anchor = date_trunc('month', period_anchor at time zone 'UTC') at time zone 'UTC'
       where merchant_id = $1`,
      [other.id, plan, subscription],
    );
    expect(await status()).toMatchObject({
      subscription_type: plan,
      subscription_status: subscription,
      invitations_limit: limit,
      invitations_available: limit === null ? null : 0,
    });
  });
});

describe('merchant-status, callers', () => {
  it('returns neither profile nor home for a service key', async () => {
    const { service_key, merchant_service_key } = platform.stack;
    for (const token of [service_key, merchant_service_key])
      expect(await status({ token, merchant_id: sub.id })).toMatchObject({
        profile_id: null,
        default_merchant_id: null,
        merchant_id: sub.id,
      });
  });

  it('lets an admin name any merchant, an operator its own and its sub-merchant, and others their home', async () => {
    const { tokens } = platform.stack;
    expect(await status()).toMatchObject({
      profile_id: people.admin.id,
      default_merchant_id: null,
      merchant_id: other.id,
    });
    expect(await status({ token: tokens.operator, merchant_id: sub.id })).toMatchObject({
      default_merchant_id: main.id,
      merchant_id: sub.id,
    });
    expect(await status({ token: tokens.merchant })).toMatchObject({ merchant_id: main.id });
    expect(await calls.status({ token: tokens.merchant_selection })).toMatchObject({ merchant_id: main.id });
    const refused = await platform.call('merchant-status', {
      token: tokens.operator,
      query: { merchant_id: other.id },
    });
    expect(refused.status).toBe(403);
  });
});

describe('merchant-status, definitions_active', () => {
  it('counts active interviews and positions of this environment that are built', async () => {
    const before = Number((await status())['definitions_active']);
    const owner = { merchant_id: other.id };
    await cloneInterview(platform.database, owner);
    for (const changes of [
      { status: 'draft' },
      { status: 'archived' },
      { status: 'deleted' },
      { environment: 'uat' },
      { built_at: null },
    ])
      await cloneInterview(platform.database, { ...owner, ...changes });
    await makePosition(platform.database, [], owner);
    await makePosition(platform.database, [], { ...owner, status: 'archived' });
    expect((await status())['definitions_active']).toBe(before + 2);
  });
});

describe('merchant-status, results', () => {
  const submitted = { status: 'active', interview_status: 'completed', processing_status: 'completed' };

  it('are counted by state, without tests', async () => {
    for (const result of [
      { interview_status: 'started' },
      { ...submitted },
      { ...submitted, interview_status: 'completed, stopped early' },
      { ...submitted, recruiter_go_next_round: true },
      { ...submitted, recruiter_go_next_round: false },
      { interview_status: 'completed', charge: 'unpaid' },
      { interview_status: 'failed', charge: 'free' },
      { ...submitted, is_test: true },
      { interview_status: 'started', is_test: true },
    ])
      await addResult(result);
    expect(await status()).toMatchObject({
      interview_results: 7,
      interviews_undecided: 2,
      interviews_ongoing: 1,
      interviews_without_credits: 1,
      interview_result_history: [7, ...Array<number>(13).fill(0)],
    });
  });

  it('are counted by their new state after a change', async () => {
    await rows(
      `update interview_result set interview_status = 'completed', charge = 'unpaid' where interview_status = 'started' and merchant_id = $1`,
      [other.id],
    );
    await rows(
      `update interview_result set recruiter_go_next_round = true where status = 'active' and merchant_id = $1`,
      [other.id],
    );
    expect(await status()).toMatchObject({
      interview_results: 7,
      interviews_undecided: 0,
      interviews_ongoing: 0,
      interviews_without_credits: 2,
    });
  });

  it('of an archived or deleted interview are not counted until it is back, and stay in the history', async () => {
    for (const state of ['archived', 'deleted']) {
      await rows('update interview set status = $2 where id = $1', [interviewId('other'), state]);
      expect(await status()).toMatchObject({
        interview_results: 0,
        interviews_without_credits: 0,
        interview_result_history: [7, ...Array<number>(13).fill(0)],
      });
    }
    await rows(`update interview set status = 'active' where id = $1`, [interviewId('other')]);
    expect(await status()).toMatchObject({ interview_results: 7, interviews_without_credits: 2 });
  });

  it('of an archived position are not counted', async () => {
    const position = await makePosition(platform.database, [], { merchant_id: other.id });
    await addEnrolment('at-position@example.com', position);
    const [enrolment] = await platform.database.rows<{ id: string }>(
      'select id from enrolment where position_id = $1',
      [position],
    );
    await addResult({ ...submitted, enrolment_id: enrolment?.id });
    expect(await status()).toMatchObject({ interview_results: 8, interviews_undecided: 1, candidates: 1 });
    await rows(`update position set status = 'archived' where id = $1`, [position]);
    expect(await status()).toMatchObject({ interview_results: 7, interviews_undecided: 0, candidates: 0 });
  });
});

describe('merchant-status, candidates', () => {
  it('are counted by enrolment and not by person, from both operations, and an update counts nothing', async () => {
    const key = await makeKey(platform, other.id);
    const options = { token: key };
    const before = Number((await status())['candidates']);
    const second = await cloneInterview(platform.database, { merchant_id: other.id });
    await account(`plan = 'Special'`);
    const at = { merchant_id: other.id, interview_id: interviewId('other') };
    await calls.register([{ email: 'c1@example.com' }, { email: 'c2@example.com' }], at, options);
    await calls.register([{ email: 'c1@example.com', name: 'Again' }], at, options);
    await calls.register(
      [{ email: 'c1@example.com' }],
      { ...at, interview_id: second, is_test: true },
      options,
    );
    await calls.invite(
      [{ email: 'c3@example.com', type: 'candidate', interview_id: second }, { email: 'team@example.com' }],
      { merchant_id: other.id },
      options,
    );
    const { candidates, candidates_history: history } = await status();
    expect(candidates).toBe(before + 4);
    expect(history).toEqual([5, ...Array<number>(13).fill(0)]);
    await rows(`update interview set status = 'archived' where id = $1`, [second]);
    expect((await status())['candidates']).toBe(before + 2);
  });
});
