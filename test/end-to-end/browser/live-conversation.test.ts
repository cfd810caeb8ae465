import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { HTTPRequest, Page } from 'puppeteer-core';
import { complaintsOf, sharedBrowser } from '../../harness/platform/browser';
import type { TestBrowser } from '../../harness/platform/browser';
import { createDoor } from '../../harness/platform/door';
import type { Platform } from '../../harness/platform/platform';
import { takePort } from '../../harness/platform/ports';
import type { TestProcess } from '../../harness/platform/process';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { startLive } from '../../harness/platform/start-platform';
import { candidateCalls } from '../../harness/taking/candidate';
import { consentTo, pressButton, waitForHeading, waitForText } from '../../harness/taking/candidate-page';
import { longSpeech, openMicrophone, toneMs } from '../../harness/taking/microphone';
import { until, waitFor } from '../../harness/wait-for';

let platform: Platform;
let browser: TestBrowser;
let calls: ReturnType<typeof candidateCalls>;
let live: TestProcess;
let door: Awaited<ReturnType<typeof createDoor>>;
beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform({ worker: true, live: true }), sharedBrowser()]);
  const port = await takePort();
  door = await createDoor(`127.0.0.1:${port}`, { at: platform.livePort });
  await door.open();
  live = await startLive(platform, port);
  calls = candidateCalls(platform);
});
afterEach(() => platform.clearFaults());

/** Opens the page of a new candidate, and begins to talk at the welcome. */
async function beginToTalk() {
  const interviewId = await calls.makeInterview([{ question: 'First?' }, { question: 'Second?' }], {
    interview_template_id: platform.stack.template_ids.interactive_avatar_1,
    recording: 'audio_all',
  });
  const link = await calls.register(interviewId);
  const page = await browser.open();
  const complaints = complaintsOf(page);
  const speak = await openMicrophone(page);
  await consentTo(page, link.url);
  await startTalking(page);
  return { ...link, page, speak, complaints };
}
async function startTalking(page: Page): Promise<void> {
  await pressButton(page, 'Start the check');
  await pressButton(page, 'Everything works');
  await waitForText(page, 'Here you talk with an AI.');
  await pressButton(page, 'Start the conversation');
}
const doing = (page: Page, state: string) =>
  waitFor(
    `that the interviewer ${state}`,
    async () => (await page.$(`.stage[data-state=${state}]`)) !== null,
  );
/** Waits until the candidate has the turn at this question. */
async function yourTurn(page: Page, question: string): Promise<void> {
  await waitForHeading(page, question);
  await doing(page, 'listens');
}
const hear = (...texts: string[]) =>
  Promise.all(
    texts.map((transcript) => platform.fault({ provider: 'openai', call: 'listening', transcript })),
  );
type Row = { question_asked: string; file: string | null };
const rowsOf = async (token: string): Promise<Row[]> => {
  const { attempt } = await calls.get(token);
  return platform.database.rows<Row>(
    `select question_asked, recording_local_path as file from result_question
     where result_id = $1 and mode = 'voice' order by step_order`,
    [attempt.result_id],
  );
};
const fileOf = ({ file }: Row): Buffer => readFileSync(path.join(platform.objectsFolder, file ?? ''));

describe('a live conversation in the browser', () => {
  it('is held to its end, with an interruption, and records what was said', async () => {
    const { page, speak, token, complaints } = await beginToTalk();
    await yourTurn(page, 'First?');
    await waitForText(page, 'Your turn');
    await hear('I built a bridge over the river.');
    await page.setRequestInterception(true);
    page.on('request', (request) =>
      request.url().includes('turn-speech')
        ? void request.respond({ contentType: 'audio/wav', body: longSpeech(20) })
        : void request.continue(),
    );
    await speak([[440, 1_500]]);
    await waitForText(page, 'I built a bridge over the river.');
    await waitForHeading(page, 'Second?');
    await doing(page, 'speaks');
    // Within a second, the interruption would be a part of the first answer.
    await waitFor('the end of the first recording', async () => {
      const [row] = await platform.database.rows<{ state: string }>(
        `select c.state from recording c join result_question q on q.id = c.turn_id where q.question_asked = 'First?'`,
      );
      return row?.state === 'completed' || row?.state === 'stored';
    });
    await hear('It held.');
    await speak([
      [660, 800],
      [0, 300],
      [660, 700],
    ]);
    await doing(page, 'listens');
    await waitForText(page, 'It held.');
    await page.keyboard.press('Space');
    await waitForHeading(page, 'Review your answers');
    const rows = await until(
      'the recordings',
      () => rowsOf(token),
      (found) => found.every(({ file }) => file !== null),
    );
    expect(rows.map(({ question_asked: asked }) => asked)).toEqual(['First?', 'Second?']);
    const [first, second] = rows.map(fileOf) as [Buffer, Buffer];
    const heard = [await toneMs(page, first, 440), await toneMs(page, second, 660)];
    // Both answers are there from their first syllable, also the one that interrupted the question.
    expect(heard.map((ms) => Math.round(ms / 100))).toEqual([15, 15]);
    expect(complaints).toEqual([]);
  });

  it('can be left and begun again, taken back from another window, and ended without a microphone', async () => {
    const { page, url, speak } = await beginToTalk();
    await yourTurn(page, 'First?');
    await pressButton(page, 'Record instead');
    await waitForText(page, 'Start recording');
    await page.reload();
    await waitForText(page, 'Start recording');
    await pressButton(page, 'Type instead');
    await page.type('textarea', 'In writing.');
    await pressButton(page, 'Send answer');
    await waitForHeading(page, 'Second?');
    await pressButton(page, 'Talk instead');
    await pressButton(page, 'Start the conversation');
    await yourTurn(page, 'Second?');
    const other = await browser.open();
    await openMicrophone(other);
    await other.goto(url);
    await startTalking(other);
    await waitForText(page, 'This conversation goes on in another window');
    await pressButton(page, 'Continue here');
    await yourTurn(page, 'Second?');
    await waitForText(other, 'This conversation goes on in another window');
    await speak([[440, 1_500]]);
    await page.evaluate('unplug()');
    await waitForText(page, 'No microphone was found. Connect one and try again.');
    await waitForText(page, 'This recording has not been sent yet.');
  });

  it('sends an answer to its end when the candidate chooses to record meanwhile', async () => {
    const { page, speak, token } = await beginToTalk();
    await yourTurn(page, 'First?');
    await platform.fault({ provider: 'openai', call: 'listening', listening: 'fail' });
    const held: HTTPRequest[] = [];
    let isHeld = true;
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      if (isHeld && request.url().includes('recording-complete')) held.push(request);
      else void request.continue();
    });
    await speak([[440, 1_000]]);
    await page.keyboard.press('Space');
    await waitFor('the end of the upload', async () => held.length > 0);
    await pressButton(page, 'Record instead');
    isHeld = false;
    for (const request of held) await request.continue();
    await waitForHeading(page, 'Second?');
    const [first] = await until(
      'the recording',
      () => rowsOf(token),
      ([found]) => found?.file != null,
    );
    expect(Math.round((await toneMs(page, fileOf(first as Row), 440)) / 100)).toBe(10);
  });

  it('connects again while an answer goes on, and records without losing it if the live process is gone', async () => {
    const { page, speak, token } = await beginToTalk();
    await yourTurn(page, 'First?');
    await speak([[440, 1_000]]);
    await door.close();
    await waitForText(page, 'Connecting');
    await door.open();
    await waitForText(page, 'Your turn');
    await speak([[440, 600]]);
    await page.keyboard.press('Space');
    await yourTurn(page, 'Second?');
    await speak([[660, 1_000]]);
    await live.kill();
    await waitForText(page, 'The conversation does not work at the moment');
    await waitForText(page, 'This recording has not been sent yet.');
    await pressButton(page, 'Send answer');
    await waitForHeading(page, 'Review your answers');
    const rows = await until(
      'the recordings',
      () => rowsOf(token),
      (found) => found.every(({ file }) => file !== null),
    );
    const [first, second] = rows.map(fileOf) as [Buffer, Buffer];
    const heard = [await toneMs(page, first, 440), await toneMs(page, second, 660)];
    expect(heard.map((ms) => Math.round(ms / 100))).toEqual([16, 10]);
  });
});
