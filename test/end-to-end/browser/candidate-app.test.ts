import type { Page } from 'puppeteer-core';
import { complaintsOf, sharedBrowser } from '../../harness/platform/browser';
import type { TestBrowser } from '../../harness/platform/browser';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls } from '../../harness/taking/candidate';
import {
  beginInterview,
  press,
  pressButton,
  question,
  textOf,
  waitForHeading,
  waitForText,
} from '../../harness/taking/candidate-page';

let platform: Platform;
let browser: TestBrowser;
let calls: ReturnType<typeof candidateCalls>;
beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform({ worker: true }), sharedBrowser()]);
  calls = candidateCalls(platform);
});

/** Makes an interview whose questions are not spoken. */
const makeInterview = () =>
  calls.makeInterview(
    [
      { question: 'What did you build?' },
      {
        question: 'Which database?',
        is_multiple_choice: true,
        question_alternatives: ['Postgres', 'Another'],
      },
      { question: 'What went wrong?' },
    ],
    {
      interview_template_id: platform.stack.template_ids.offline_avatar_3,
      recording: null,
      recording_full_session: null,
      candidate_video_introduction: 'hidden',
    },
  );
/**
 * Begins an interview with typed answers in a new browser page. Returns that page, which shows the first question,
 * and the URL of the candidate's link.
 */
async function begin(interviewId?: string): Promise<{ page: Page; url: string }> {
  const page = await browser.open();
  const { url } = await calls.register(interviewId ?? (await makeInterview()));
  await beginInterview(page, url, 'What did you build?');
  return { page, url };
}
const typed = (page: Page) => page.$eval('textarea', (field) => field.value);
const answersOf = async (url: string) => {
  const token = new URL(url).searchParams.get('interview_token') ?? '';
  const { attempt } = await calls.get(token);
  const rows = await platform.database.rows<{ answer: string }>(
    'select answer from result_question where result_id = $1 and answer is not null order by step_order',
    [attempt.result_id],
  );
  return rows.map(({ answer }) => answer);
};

describe('the app of a candidate’s page', () => {
  it('has at most 60 KB as sent, takes a typed interview without loading a page, and keeps a draft', async () => {
    const page = await browser.open();
    const complaints = complaintsOf(page);
    const { url } = await calls.register(await makeInterview());
    await page.goto(url);
    await page.click('[name=consent]');
    await page.setCacheEnabled(false);
    let bytes = 0;
    const network = await page.createCDPSession();
    network.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes += encodedDataLength));
    await network.send('Network.enable');
    await press(page, 'form[action*=begin] button');
    await network.detach();
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(60_000);
    await page.setCacheEnabled(true);
    await pressButton(page, 'Type instead');
    const loaded: string[] = [];
    page.on('framenavigated', (frame) => void loaded.push(frame.url()));
    await page.click('form button');
    await waitForHeading(page, 'What did you build?');
    expect(await page.$eval(':focus', (heading) => heading.tagName)).toBe('H1');
    expect(await page.title()).toMatch(/^Question 1 of 3 – /);
    expect(await page.$$eval('#app h1, #app form', (all) => all.length)).toBe(2);
    await page.click('form button');
    await waitForText(page, 'Write an answer.');
    expect(await page.$eval(':focus', (field) => field.id)).toBe('answer');
    await page.type('textarea', 'A bridge.');
    await page.click('form button');
    await waitForHeading(page, 'Which database?');
    await page.click('[value="Postgres"]');
    await page.click('form button');
    await waitForHeading(page, 'What went wrong?');
    expect(await typed(page)).toBe('');
    await page.type('textarea', 'Noth');
    await page.reload();
    expect([await question(page), await typed(page), loaded.length]).toEqual(['What went wrong?', 'Noth', 1]);
    await page.focus('textarea');
    await page.keyboard.down('Control');
    await page.keyboard.press('End');
    await page.keyboard.up('Control');
    await page.keyboard.type('ing.');
    await press(page, 'form button');
    expect(await question(page)).toBe('Review your answers');
    await press(page, 'form[action*=submit] button');
    expect(await question(page)).toBe('Thank you');
    expect(await answersOf(url)).toEqual(['A bridge.', 'Postgres', 'Nothing.']);
    expect(complaints).toEqual([]);
  });

  it('sends what was typed when the time is over, and says so', async () => {
    const { page, url } = await begin();
    await page.type('textarea', 'A loom.');
    const token = new URL(url).searchParams.get('interview_token') ?? '';
    await platform.database.rows(
      `update interview_result set deadline_at = now() + interval '2 seconds' where id = $1`,
      [(await calls.get(token)).attempt.result_id],
    );
    await page.evaluate('dispatchEvent(new Event("focus"))');
    await waitForText(page, /Time left: \d seconds?/);
    await waitForHeading(page, 'This interview has ended');
    expect(await answersOf(url)).toEqual(['A loom.']);
  });

  it('sends an answer when the connection is back, follows another window, and ends early with what was entered', async () => {
    const { page, url } = await begin();
    const other = await browser.open();
    await other.goto(url);
    await pressButton(other, 'Type instead');
    await other.waitForSelector('textarea');
    await pressButton(page, 'Finish early');
    await pressButton(page, 'Finish now');
    await waitForText(page, 'Answer at least one question before you finish.');
    await pressButton(page, 'Back to the question');
    await page.setOfflineMode(true);
    await page.type('textarea', 'A bridge.');
    await page.click('form button');
    await waitForText(page, 'Not sent yet');
    expect([await question(page), await typed(page)]).toEqual(['What did you build?', 'A bridge.']);
    await page.setOfflineMode(false);
    await waitForHeading(page, 'Which database?');
    // The other window shows the text that it could not store, and the next question.
    await other.type('textarea', 'A draft.');
    await other.click('form button');
    await waitForHeading(other, 'Which database?');
    expect([await textOf(other, '.note'), await textOf(other, '.unsent .said')]).toEqual([
      'This question already has an answer, perhaps from another window. You can go on here.',
      'A draft.',
    ]);
    await other.click('[value="Postgres"]');
    await other.click('form button');
    await waitForHeading(other, 'What went wrong?');
    await page.evaluate(`dispatchEvent(new Event('focus'))`);
    await waitForHeading(page, 'What went wrong?');
    await page.type('textarea', 'Nothing.');
    await pressButton(page, 'Finish early');
    await waitForText(page, 'Your answer to the current question will be sent too.');
    await pressButton(page, 'Finish now');
    await waitForHeading(page, 'Review your answers');
    expect(await answersOf(url)).toEqual(['A bridge.', 'Postgres', 'Nothing.']);
  });

  it('keeps a draft that could not be sent because another candidate’s link was opened', async () => {
    const interviewId = await makeInterview();
    const ann = await begin(interviewId);
    const bob = await begin(interviewId);
    await ann.page.type('textarea', 'By Ann.');
    await ann.page.setCookie(...(await bob.page.cookies()));
    await press(ann.page, 'form button');
    expect(await textOf(ann.page, '.state')).toContain('Nothing was sent.');
    expect(await textOf(ann.page, '.unsent')).toContain('By Ann.');
    await ann.page.goto(bob.url);
    await pressButton(ann.page, 'Type instead');
    await ann.page.waitForSelector('textarea');
    expect(await typed(ann.page)).toBe('');
    await ann.page.goto(ann.url);
    expect(await typed(ann.page)).toBe('By Ann.');
    expect(await answersOf(bob.url)).toEqual([]);
  });
});
