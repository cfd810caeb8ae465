import { makePosition, openUrl, peopleCalls } from '../../harness/people/people';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls } from '../../harness/taking/candidate';

let platform: Platform;
let calls: ReturnType<typeof candidateCalls>;
/** The ids of the interviews that are the steps of the position. */
let steps: string[];
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  calls = candidateCalls(platform);
  const one = { result_view: 'none' };
  steps = [
    await calls.makeInterview([{ question: 'One?' }], one),
    await calls.makeInterview([{ question: 'Two?' }], one),
  ];
});

const change = (text: string, ...values: unknown[]) => platform.database.rows(text, values);
const decide = (interview_result_id: string, recruiter_go_next_round: boolean | null) =>
  platform.call('job-interview-result-update', { body: { interview_result_id, recruiter_go_next_round } });

/** Creates a position, and takes its first step as a candidate. */
async function takeFirst(changes: Record<string, unknown> = {}) {
  const position = await makePosition(platform.database, steps, { status: 'active', ...changes });
  const link = await calls.register(position);
  expect(link.interviewId).toBe(steps[0]);
  await calls.takeAll(link.token);
  const { attempt } = await calls.get(link.token);
  return { ...link, position, resultId: attempt.result_id };
}
const stateOf = async (enrolmentId: string) => {
  const [row] = await change(
    `select e.interview_id, e.invited_at is not null as is_invited, (
       select count(*)::int from mail m join workflow_start w on w.argument ->> 'batch_id' = m.batch_id::text
       where m.enrolment_id = e.id and m.kind = 'next_step_invitation'
     ) as mails
     from enrolment e where e.id = $1`,
    enrolmentId,
  );
  return row;
};

describe('a candidate who is advanced', () => {
  it('enters the next step of the position once, and is mailed its link', async () => {
    const { enrolmentId, resultId, email, token, position } = await takeFirst();
    const sentBefore = await change('select invitations_sent from credit_account order by 1');
    expect((await decide(resultId, true)).status).toBe(200);
    const entered = { interview_id: steps[1], is_invited: true, mails: 1 };
    expect(await stateOf(enrolmentId)).toEqual(entered);
    for (const decision of [false, true, null, true]) await decide(resultId, decision);
    expect(await stateOf(enrolmentId)).toEqual(entered);
    expect(await change('select invitations_sent from credit_account order by 1')).toEqual(sentBefore);

    const [row] = await peopleCalls(platform).register([{ email }], { interview_id: position });
    expect(openUrl(row?.interview_url).claims['interview_id']).toBe(steps[1]);
    const next = new URL(row?.interview_url ?? '').searchParams.get('interview_token') ?? '';
    expect(await calls.takeAll(next)).toEqual(['Welcome', 'Two?']);
    expect((await calls.get(token)).attempt).toMatchObject({ result_id: resultId, state: 'submitted' });
    const { attempt } = await calls.get(next);
    expect((await decide(attempt.result_id, true)).status).toBe(200);
    expect(await stateOf(enrolmentId)).toEqual(entered);
  });
});
