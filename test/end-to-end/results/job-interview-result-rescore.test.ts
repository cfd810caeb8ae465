import { randomUUID } from 'node:crypto';
import { openDatabases, takeInterview } from '../../../local/demo/candidate';
import { cloneWithSteps, enrolmentsOf, peopleCalls } from '../../harness/people/people';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let databases: ReturnType<typeof openDatabases>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  databases = openDatabases(platform.database);
});
afterAll(() => databases.close());

const submitted = async (): Promise<string> => {
  const interview_id = await cloneWithSteps(platform.database);
  await peopleCalls(platform).register([{ email: `${randomUUID()}@example.com` }], { interview_id });
  const [enrolment] = await enrolmentsOf(platform.database, interview_id);
  return (await takeInterview(databases, { enrolment: enrolment?.id ?? '', until: 'submitted' })).result_id;
};
const rescore = (interview_result_id: string) =>
  platform.call('job-interview-result-rescore', { body: { interview_result_id } });
/** Deletes the outbox rows of workflows that have not started yet, as the worker does after it has started them. */
const emptyOutbox = (id: string) =>
  platform.database.rows(`delete from workflow_start where argument ->> 'result_id' = $1`, [id]);

describe('job-interview-result-rescore', () => {
  it('returns 409 while the workflow of the run has not started', async () => {
    const id = await submitted();
    expect(await rescore(id)).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
  });

  it('accepts one of several calls, and no other one before its workflow starts', async () => {
    const id = await submitted();
    await platform.database.rows(`update score_record set state = 'failed' where result_id = $1`, [id]);
    const replies = await Promise.all([rescore(id), rescore(id), rescore(id)]);
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409, 409,
    ]);
    expect((await rescore(id)).status).toBe(409);
  });

  it('accepts a call for a run whose workflow was started and has ended', async () => {
    const id = await submitted();
    await emptyOutbox(id);
    const replies = await Promise.all([rescore(id), rescore(id)]);
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect(replies.find(({ status }) => status === 200)?.body).toMatchObject({ run: 2 });
  });
});
