import type { HTTPRequest, Page } from 'puppeteer-core';
import { complaintsOf, sharedBrowser } from '../../harness/platform/browser';
import type { TestBrowser } from '../../harness/platform/browser';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls } from '../../harness/taking/candidate';
import {
  consentTo,
  press,
  pressButton,
  question,
  textNow,
  waitForHeading,
  waitForText,
} from '../../harness/taking/candidate-page';
import { until, waitFor } from '../../harness/wait-for';

let platform: Platform;
let browser: TestBrowser;
let calls: ReturnType<typeof candidateCalls>;
beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform({ worker: true }), sharedBrowser()]);
  calls = candidateCalls(platform);
});

const interactive = () => ({ interview_template_id: platform.stack.template_ids.interactive_avatar_1 });
const offline = () => ({ interview_template_id: platform.stack.template_ids.offline_avatar_3 });
/**
 * Makes an interview with these fields, takes a candidate through its consent and device check to the first question,
 * and returns the token of the candidate's link.
 */
async function beginAt(page: Page, changes: Record<string, unknown>): Promise<string> {
  const interviewId = await calls.makeInterview([{ question: 'First?' }, { question: 'Second?' }], changes);
  const { url, token } = await calls.register(interviewId);
  await consentTo(page, url);
  await pressButton(page, 'Start the check');
  await waitForText(page, 'The bar moves when we hear you.');
  await pressButton(page, 'Continue');
  await waitForHeading(page, 'First?');
  return token;
}
const recordingLeft = /Recording. Time left: .*/;
const record = async (page: Page): Promise<void> => {
  await pressButton(page, 'Start recording');
  await waitForSound(page);
};
const waitForSound = async (page: Page): Promise<void> => {
  await waitForText(page, recordingLeft);
  // A recording that is stopped at once may contain no sound, so this waits until the displayed time has changed.
  const leftNow = async () => recordingLeft.exec(await textNow(page, 'main'))?.[0];
  const first = await leftNow();
  await waitFor('a second of recording', async () => (await leftNow()) !== first);
};
type Row = {
  question_asked: string;
  answer: string | null;
  recording: string | null;
  session: string | null;
};
const rowsOf = async (token: string): Promise<Row[]> => {
  const { attempt } = await calls.get(token);
  return platform.database.rows<Row>(
    `select q.question_asked, q.answer, q.recording_local_path as recording, r.recording_local_path as session
     from result_question q join interview_result r on r.id = q.result_id
     where r.id = $1 and q.mode in ('voice', 'video') order by q.step_order`,
    [attempt.result_id],
  );
};

describe('the app of a spoken interview', () => {
  it('records, uploads and submits the answers and the session', async () => {
    const page = await browser.open();
    const complaints = complaintsOf(page);
    const fields = { ...interactive(), recording: 'audio_all', recording_full_session: 'audio_all' };
    const token = await beginAt(page, fields);
    await waitForText(page, 'This session is being recorded.');
    await record(page);
    await pressButton(page, 'Finish recording');
    await waitForHeading(page, 'Second?');
    await record(page);
    await waitForSound(page);
    await page.reload();
    await waitForText(page, 'This recording has not been sent yet.');
    expect(await question(page)).toBe('Second?');
    await page.waitForSelector('.playback audio');
    await page.setOfflineMode(true);
    await pressButton(page, 'Send answer');
    await waitForText(page, 'Not sent yet');
    await page.setOfflineMode(false);
    await waitForHeading(page, 'Review your answers');
    await press(page, 'form[action*=submit] button');
    expect(await question(page)).toBe('Thank you');
    const rows = await until(
      'the recordings and the transcripts',
      () => rowsOf(token),
      (found) => found.every((row) => row.recording && row.answer && row.session),
    );
    expect(rows.map(({ question_asked: asked }) => asked)).toEqual(['First?', 'Second?']);
    // The browser logs the calls that failed while it was offline.
    expect(complaints.filter((each) => !each.includes('Failed to load resource'))).toEqual([]);
  });

  it('goes on with an upload after the connection was lost, and lets an answer be heard and repeated', async () => {
    const page = await browser.open();
    const token = await beginAt(page, { ...offline(), recording: 'video_all' });
    await waitForText(page, /Prepare your answer. The recording starts in \d+ seconds/);
    await record(page);
    await page.setOfflineMode(true);
    await pressButton(page, 'Finish recording');
    await waitForText(page, 'Your recording');
    await page.setOfflineMode(false);
    await pressButton(page, 'Record again');
    await waitForSound(page);
    await pressButton(page, 'Finish recording');
    await waitForText(page, 'Your recording');
    const buttons = () => page.$$eval('.recorded button', (all) => all.map((each) => each.textContent));
    await waitFor('the last take', async () => (await buttons()).join() === 'Send answer');
    await page.setOfflineMode(true);
    await pressButton(page, 'Send answer');
    await waitForText(page, 'Not sent yet');
    await page.setOfflineMode(false);
    await waitForHeading(page, 'Second?');
    const recording = await waitFor('the recording', async () => (await rowsOf(token))[0]?.recording);
    expect(recording).toMatch(/\.webm$/);
  });

  it('shows a recording that was not sent in a new tab, before the devices are checked, and sends one when the time is over', async () => {
    const page = await browser.open();
    const token = await beginAt(page, interactive());
    await record(page);
    await page.setOfflineMode(true);
    await pressButton(page, 'Finish recording');
    await waitForText(page, 'Not sent yet');
    const next = await page.browserContext().newPage();
    const address = page.url();
    await page.close();
    const asked: string[] = [];
    next.on('request', (request) => void asked.push(new URL(request.url()).pathname));
    await next.goto(address);
    await waitForText(next, 'This recording has not been sent yet.');
    // The upload would discard that of a window that still records.
    expect(asked).not.toContain('/portal/v1/recording-create');
    expect(await textNow(next, 'main')).not.toContain('Check your devices');
    await pressButton(next, 'Send answer');
    await waitForHeading(next, 'Second?');
    expect((await calls.get(token)).attempt.steps.done).toBe(2);
    // When the time is over, what was recorded until then is sent.
    await pressButton(next, 'Start the check');
    await pressButton(next, 'Everything works');
    await record(next);
    const { attempt } = await calls.get(token);
    await platform.database.rows(
      `update interview_result set deadline_at = now() + interval '2 seconds' where id = $1`,
      [attempt.result_id],
    );
    await next.evaluate('dispatchEvent(new Event("focus"))');
    await waitForHeading(next, 'Review your answers');
    expect((await calls.get(token)).attempt.steps.done).toBe(3);
  });

  it('offers a practice that sends nothing, and records the introduction, as MP4 in a browser that records no WebM', async () => {
    const page = await browser.open();
    // Safari can record only MP4. Chromium can record MP4 too, so the test hides its support for WebM.
    await page.evaluateOnNewDocument(`{
      const canRecord = MediaRecorder.isTypeSupported;
      MediaRecorder.isTypeSupported = (type) => !type.includes('webm') && canRecord(type);
    }`);
    const interviewId = await calls.makeInterview([{ question: 'First?' }], {
      ...offline(),
      candidate_video_introduction: 'required',
    });
    const { url, token } = await calls.register(interviewId);
    await page.goto(url);
    const sent: string[] = [];
    const note = (request: HTTPRequest) =>
      void (request.url().startsWith('http') && sent.push(request.url()));
    page.on('request', note);
    await pressButton(page, 'Try it out');
    await pressButton(page, 'Start the check');
    await record(page);
    await pressButton(page, 'Finish recording');
    await page.waitForSelector('.playback audio, .playback video');
    page.off('request', note);
    expect(sent).toEqual([]);
    await consentTo(page, url);
    await pressButton(page, 'Start the check');
    await waitForText(page, 'The bar moves when we hear you.');
    await pressButton(page, 'Continue');
    await waitForHeading(page, 'Introduce yourself');
    await record(page);
    await pressButton(page, 'Finish recording');
    await waitForText(page, 'Your recording');
    await pressButton(page, 'Send answer');
    await waitForHeading(page, 'First?');
    const { attempt } = await calls.get(token);
    const introduction = await waitFor('the introduction', async () => {
      const [row] = await platform.database.rows<{ file: string | null }>(
        'select video_introduction_local_path as file from interview_result where id = $1',
        [attempt.result_id],
      );
      return row?.file ?? undefined;
    });
    expect(introduction).toMatch(/\.mp4$/);
  });

  it('lets a candidate type who has no microphone or does not allow it', async () => {
    const page = await browser.open();
    await page.evaluateOnNewDocument(`navigator.mediaDevices.getUserMedia = async () => {
      throw new DOMException('Permission denied', 'NotAllowedError');
    }`);
    const fields = { ...interactive(), recording_full_session: 'audio_all' };
    const { url } = await calls.register(await calls.makeInterview([{ question: 'First?' }], fields));
    await consentTo(page, url);
    await pressButton(page, 'Start the check');
    await waitForText(page, 'The browser does not allow access to the microphone or camera.');
    await waitForText(page, 'This session is not being recorded.');
    await pressButton(page, 'Type instead');
    await pressButton(page, 'Continue');
    await waitForHeading(page, 'First?');
    await page.type('textarea', 'In writing.');
    await pressButton(page, 'Send answer');
    await waitForHeading(page, 'Review your answers');
    await waitForText(page, 'In writing.');
  });

  it('offers no typing where a video is required, and says what to do without a camera', async () => {
    const page = await browser.open();
    await page.evaluateOnNewDocument(`{
      const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      navigator.mediaDevices.getUserMedia = async (wanted) => {
        if (wanted.video) throw new DOMException('No camera', 'NotFoundError');
        return open(wanted);
      };
    }`);
    const interviewId = await calls.makeInterview([{ question: 'First?' }], {
      ...interactive(),
      recording: 'video_all',
    });
    const link = await calls.register(interviewId);
    await consentTo(page, link.url);
    await pressButton(page, 'Start the check');
    await waitForText(page, 'The camera or the microphone cannot be used.');
    await pressButton(page, 'Continue');
    await waitForHeading(page, 'First?');
    await waitForText(page, 'This answer has to be a video.');
    await waitForText(page, 'The camera or the microphone cannot be used.');
    const buttons = await page.$$eval('#app button', (all) => all.map((each) => each.textContent));
    expect(buttons).toEqual(
      expect.not.arrayContaining(['Type instead', 'Start recording', 'Everything works']),
    );
    await platform.call('job-interview-set-time-factor', {
      body: { profile_interview_id: link.enrolmentId, may_type: true },
    });
    await page.reload();
    await pressButton(page, 'Type instead');
    await page.waitForSelector('textarea');
  });
});
