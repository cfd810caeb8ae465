import { openDatabases, takeInterview } from '../../../local/demo/candidate';
import { cloneWithSteps, enrolmentsOf, makePosition, peopleCalls } from '../../harness/people/people';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';

let platform: Operations;
let databases: ReturnType<typeof openDatabases>;
/** The ids of the interviews that are the steps of the position. */
let steps: string[];
beforeAll(async () => {
  platform = await openOperations();
  databases = openDatabases(platform.database);
  steps = [await cloneWithSteps(platform.database), await cloneWithSteps(platform.database)];
});
afterAll(() => databases.close());

const change = (text: string, ...values: unknown[]) => platform.database.rows(text, values);
const decide = (interview_result_id: string, recruiter_go_next_round: boolean | null) =>
  platform.call('job-interview-result-update', { body: { interview_result_id, recruiter_go_next_round } });

/** Creates a position, and takes its first step as a candidate. */
async function takeFirst() {
  const position = await makePosition(platform.database, steps, { status: 'active' });
  await peopleCalls(platform).register([{ email: `${position}@example.com` }], { interview_id: position });
  const [enrolment] = await enrolmentsOf(platform.database, position);
  const enrolmentId = enrolment?.id ?? '';
  const { result_id } = await takeInterview(databases, { enrolment: enrolmentId, until: 'submitted' });
  return { enrolmentId, position, resultId: result_id };
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
  it('enters it without a mail if the merchant has turned that off', async () => {
    const { enrolmentId, resultId } = await takeFirst();
    await change('update merchant set mail_next_step = false where id = $1', platform.stack.merchant_id);
    await decide(resultId, true);
    await change('update merchant set mail_next_step = true where id = $1', platform.stack.merchant_id);
    expect(await stateOf(enrolmentId)).toEqual({ interview_id: steps[1], is_invited: false, mails: 0 });
  });

  it('stays at the step without a decision or if the position has ended', async () => {
    const { enrolmentId, resultId, position } = await takeFirst();
    for (const [decision, assignment] of [
      [false, `status = 'active'`],
      [null, `status = 'active'`],
      [true, `status = 'archived'`],
      [true, `status = 'active', interview_available_till = '2026-01-01'`],
    ] as const) {
      await decide(resultId, null);
      await change(`update position set ${assignment} where id = $1`, position);
      expect((await decide(resultId, decision)).status).toBe(200);
      expect([assignment, await stateOf(enrolmentId)]).toMatchObject([
        assignment,
        { interview_id: steps[0], mails: 0 },
      ]);
    }
  });
});
