import { randomUUID } from 'node:crypto';
import { openDatabases, takeInterview } from '../../../local/demo/candidate';
import { openConsole } from '../../harness/identity/console';
import { cloneWithSteps, enrolmentsOf, peopleCalls } from '../../harness/people/people';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
let databases: ReturnType<typeof openDatabases>;
let resultId: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  databases = openDatabases(platform.database);
  resultId = await take();
});
afterAll(() => databases.close());

const take = async (): Promise<string> => {
  const interview_id = await cloneWithSteps(platform.database, { type: 'interview' });
  await peopleCalls(platform).register([{ email: `${randomUUID()}@example.com`, name: 'Ann' }], {
    interview_id,
  });
  const [enrolment] = await enrolmentsOf(platform.database, interview_id);
  return (await takeInterview(databases, { enrolment: enrolment?.id ?? '' })).result_id;
};
const pdf = (body: Record<string, unknown>) => platform.call('job-interview-pdf', { body });
const download = async (url: unknown) => {
  const response = await fetch(String(url));
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, text: bytes.toString('latin1') };
};

describe('job-interview-pdf', () => {
  it('returns the URL of a PDF for 15 minutes, in the language that was asked for, made once for simultaneous calls', async () => {
    const reply = await pdf({
      interview_result_id: resultId,
      platform_language_code: 'ja',
      transcript: true,
    });
    expect([reply.status, reply.body]).toMatchObject([200, { interview_result_id: resultId, attempt: 1 }]);
    const minutes = (Date.parse(String(reply.body['expires_at'])) - Date.now()) / 60_000;
    expect(Math.round(minutes)).toBe(15);
    const file = await download(reply.body['pdf_url']);
    expect([file.status, file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
      200,
      'application/pdf',
      'attachment; filename="interview-report.pdf"',
    ]);
    expect(file.text).toMatch(/^%PDF/);
    expect(file.text).toContain('/Lang (ja)');
    // Simultaneous calls make one file, and the result stays as it is.
    const details = async () =>
      (await platform.call('job-interview-details', { query: { interview_result_id: resultId } })).body;
    // The scoring of the attempt notices later that the test has stored the scores.
    const before = await waitFor('the end of the scoring', async () => {
      const body = await details();
      const { state } = body['scoring'] as { state: string };
      return state === 'queued' || state === 'running' ? undefined : body;
    });
    const replies = await Promise.all([1, 2, 3].map(() => pdf({ interview_result_id: resultId })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    const paths = replies.map(({ body }) => new URL(String(body['pdf_url'])).pathname);
    expect(new Set(paths).size).toBe(1);
    expect(await details()).toEqual(before);
    // The page of the result in the console leads to it.
    const owner = await openConsole(platform, 'merchant_owner');
    const place = `/results/${resultId}/report.pdf`;
    expect((await owner.get(`/console/results/${resultId}`)).html).toContain(place);
    const found = await owner.get(`/console${place}`);
    expect(found.status).toBe(303);
    expect((await download(found.headers.get('location'))).text).toMatch(/^%PDF/);
  });
});

describe('the result page of the console', () => {
  it('creates a failed automatic PDF again, which releases the event', async () => {
    const owner = await openConsole(platform, 'merchant_owner');
    const id = await take();
    const state = async () =>
      (
        await platform.database.rows<{ pdf_export_url: string | null; is_held: boolean }>(
          `select r.pdf_export_url, exists (select from webhook_hold h where h.result_id = r.id) as is_held
           from interview_result r where r.id = $1`,
          [id],
        )
      )[0];
    await waitFor('the scoring of the submit', async () => {
      const [run] = await platform.database.rows<{ state: string }>(
        'select state from score_record where result_id = $1',
        [id],
      );
      return run && ['scored', 'failed', 'superseded'].includes(run.state) ? true : undefined;
    });
    await platform.database.rows(
      `with i as (
         update interview set pdf_export_auto_config = '{"transcript": true}'
         where id = (select interview_id from interview_result where id = $1)
       ), h as (
         insert into webhook_hold (merchant_id, environment, result_id, reasons)
         select merchant_id, environment, id, '{score}' from interview_result where id = $1
       )
       update interview_result set pdf_failed_at = now() where id = $1`,
      [id],
    );
    expect(await state()).toMatchObject({ pdf_export_url: null, is_held: true });
    const { html } = await owner.get(`/console/results/${id}`);
    expect(html).toContain('The PDF could not be created.');
    expect(html).toContain('Create PDF again');
    expect((await owner.post(`/console/results/${id}/pdf`, {})).status).toBe(303);
    await waitFor('the PDF', async () => (await state())?.pdf_export_url ?? undefined);
    expect(await state()).toMatchObject({ is_held: false });

    // The PDF shows the scores, so it is rendered again at the same address when a person sets a score.
    const { pdf_export_url: url } = (await state()) ?? {};
    const { text: before } = await download(url);
    const overridden = await platform.call('job-interview-result-override-score', {
      body: { interview_result_id: id, score: 1.5, reason: 'Heard the recording.' },
    });
    expect(overridden.status).toBe(200);
    await waitFor('the PDF with the new score', async () => (await download(url)).text !== before);
    expect((await state())?.pdf_export_url).toBe(url);
  });
});
