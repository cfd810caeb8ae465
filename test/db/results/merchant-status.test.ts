import { merchants, people } from '../../../local/seed/accounts';
import { interviewId } from '../../../local/seed/fixed-id';
import { makeKey, signIn } from '../../harness/identity/accounts';
import { cloneInterview, peopleCalls } from '../../harness/people/people';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';

let platform: Operations;
let calls: ReturnType<typeof peopleCalls>;
beforeAll(async () => {
  platform = await openOperations();
  calls = peopleCalls(platform);
  // The merchant gets a time zone in which it is about noon, so that no new day begins there during the tests, which
  // count by days.
  const ahead = 12 - new Date().getUTCHours();
  await inZone(ahead < 0 ? `Etc/GMT+${-ahead}` : `Etc/GMT-${ahead}`);
});

const { other } = merchants;
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

describe('merchant-status, an account without people', () => {
  it('returns all 22 fields, with the credits of the account', async () => {
    const reply = await status({ token: platform.stack.tokens.other_merchant_owner });
    expect(reply).toEqual({
      profile_id: people.other_merchant_owner.id,
      default_merchant_id: other.id,
      merchant_id: other.id,
      credits_interview_monthly: 40,
      credits_interview_monthly_limit: 40,
      credits_interview_extra: 5,
      credits_interview_single: 0,
      credits_coaching_monthly: 40,
      credits_coaching_monthly_limit: 40,
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
    expect(Object.keys(reply)).toHaveLength(22);
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

  it('returns the limit of the plan while the subscription is active', async () => {
    for (const [plan, subscription, limit] of [
      ['Special', 'active', null],
      ['Free', null, 13],
      ['Growth', 'past_due', 13],
      ['Starter', 'canceled', 13],
    ] as const) {
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
    }
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
      { interview_status: 'completed', charge: 'charged' },
      { interview_status: 'failed', charge: 'free' },
      { ...submitted, is_test: true },
      { interview_status: 'started', is_test: true },
    ])
      await addResult(result);
    await platform.database.rows(
      `insert into unpaid_attempt (merchant_id, result_id, attempt, interview_id, is_practice, price, due_at)
       select merchant_id, id, attempt, interview_id, false, 1, now() from interview_result where charge = 'charged'
         and merchant_id = $1 limit 1`,
      [other.id],
    );
    expect(await status()).toMatchObject({
      interview_results: 7,
      interviews_undecided: 2,
      interviews_ongoing: 1,
      interviews_without_credits: 1,
      interview_result_history: [7, ...Array<number>(13).fill(0)],
    });
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
    expect(history).toEqual([4, ...Array<number>(13).fill(0)]);
    await rows(`update interview set status = 'archived' where id = $1`, [second]);
    expect((await status())['candidates']).toBe(before + 2);
  });
});
