import { openDatabases, takeInterview } from '../../../local/demo/candidate';
import { merchants } from '../../../local/seed/accounts';
import { interviewId } from '../../../local/seed/fixed-id';
import { atEndOfTest } from '../../harness/at-end';
import { cloneInterview, cloneWithSteps, enrolmentsOf, peopleCalls } from '../../harness/people/people';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';

let platform: Operations;
let calls: ReturnType<typeof peopleCalls>;
beforeAll(async () => {
  platform = await openOperations();
  calls = peopleCalls(platform);
});

describe('job-interview-register-users, send_email', () => {
  const ann = [{ email: 'ann@example.com', name: 'Ann' }];
  const clone = (changes: Record<string, unknown> = {}) => cloneInterview(platform.database, changes);

  it('sends the invitation after a test was registered', async () => {
    const id = await clone();
    await calls.register(ann, { interview_id: id, send_email: true, is_test: true });
    expect((await enrolmentsOf(platform.database, id))[0]?.is_invited).toBe(false);
    const [invited] = await calls.invite([{ ...ann[0], type: 'candidate', interview_id: id }]);
    expect(invited?.result).toBe('Invited');
  });

  it('returns errors for rows beyond the budget, and registers the others', async () => {
    const token = platform.stack.tokens.operator;
    const options = { token };
    const more = { merchant_id: merchants.sub.id, interview_id: interviewId('sub'), send_email: true };
    await platform.database.rows('update credit_account set invitations_sent = 8 where merchant_id = $1', [
      merchants.sub.id,
    ]);
    const users = ['a', 'wrong', 'b', 'a', 'c', 'd'].map((name) => ({
      email: name === 'wrong' ? name : `${name}@budget.example`,
    }));
    const rows = await calls.register(users, more, options);
    const none = 'Error: No invitations left in this period';
    expect(rows.map(({ result }) => result)).toEqual([
      'ok',
      expect.stringMatching(/^Error: email/),
      'ok',
      'ok',
      none,
      none,
    ]);
    expect(
      (await enrolmentsOf(platform.database, interviewId('sub')))
        .map(({ email }) => email)
        .filter((email) => email.endsWith('budget.example')),
    ).toEqual(['a@budget.example', 'b@budget.example']);
    expect(await calls.status({ token, query: { merchant_id: merchants.sub.id } })).toMatchObject({
      invitations_sent: 10,
      invitations_limit: 10,
      invitations_available: 0,
    });
    // When no invitations are left, candidates can still be registered without mails.
    expect(await calls.register(users.slice(4), { ...more, send_email: false }, options)).toMatchObject([
      { result: 'ok' },
      { result: 'ok' },
    ]);
  });
});

describe('invite-users after job-interview-result-request-another-attempt', () => {
  it('invites the candidate again', async () => {
    const interview_id = await cloneWithSteps(platform.database);
    const databases = openDatabases(platform.database);
    atEndOfTest(() => databases.close());
    const user = { email: 'noor@again.example', type: 'candidate', interview_id };
    const { invite } = calls;
    const generation = async () =>
      Number((await enrolmentsOf(platform.database, interview_id))[0]?.link_generation);
    const [invited] = await invite([user]);
    expect(invited?.result).toBe('Invited');
    const first = await generation();
    const { result_id } = await takeInterview(databases, {
      enrolment: invited?.profile_interview_id ?? '',
      until: 'scored',
    });
    expect(await invite([user])).toMatchObject([{ result: 'Activated' }]);
    const reopened = await platform.call('job-interview-result-request-another-attempt', {
      body: { interview_result_id: result_id },
    });
    expect(reopened.status).toBe(200);
    expect(await invite([user])).toMatchObject([
      { result: 'Invited', profile_interview_id: invited?.profile_interview_id },
    ]);
    // The link of the first invitation has ended.
    expect(await generation()).toBeGreaterThan(first);
  });
});
