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

describe('job-interview-result-override-score', () => {
  it('queues a PDF of its own for each change, because a PDF in progress may show the scores before it', async () => {
    const interview_id = await cloneWithSteps(platform.database, { pdf_export_auto_config: '{}' });
    await peopleCalls(platform).register([{ email: `${randomUUID()}@example.com` }], { interview_id });
    const [enrolment] = await enrolmentsOf(platform.database, interview_id);
    const { result_id } = await takeInterview(databases, { enrolment: enrolment?.id ?? '' });
    const [question] = await platform.database.rows<{ id: string }>(
      'select id from result_question where result_id = $1 and is_answer limit 1',
      [result_id],
    );
    for (const body of [{ score: 3 }, { score: 4 }, { score: 4.5, result_question_id: question?.id }])
      expect(
        await platform.call('job-interview-result-override-score', {
          body: { interview_result_id: result_id, reason: 'Heard the recording.', ...body },
        }),
      ).toMatchObject({ status: 200 });
    const queued = await platform.database.rows<{ workflow_id: string }>(
      `select distinct workflow_id from workflow_start where workflow_type = 'resultPdf'
         and argument ->> 'result_id' = $1`,
      [result_id],
    );
    expect(queued).toHaveLength(3);
  });
});
