import type { Page } from 'puppeteer-core';
import { wavFile } from '../../../local/wav-file';
import { complaintsOf, sharedBrowser } from '../../harness/platform/browser';
import type { TestBrowser } from '../../harness/platform/browser';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls } from '../../harness/taking/candidate';
import { beginInterview, pressButton, textNow, waitForText } from '../../harness/taking/candidate-page';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
let browser: TestBrowser;
let calls: ReturnType<typeof candidateCalls>;
beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform({ worker: true }), sharedBrowser()]);
  calls = candidateCalls(platform);
});

/** A voice of three seconds that hums at 120 Hz, with an open vowel that comes and goes, as a WAV file. */
function voice(): Buffer {
  const rate = 16_000;
  const samples = Int16Array.from({ length: 3 * rate }, (_, i) => {
    const t = i / rate;
    const syllable = Math.max(0, Math.sin(2 * Math.PI * 3 * t));
    const tones = [120, 690, 1_290].reduce((sum, hz) => sum + Math.sin(2 * Math.PI * hz * t), 0);
    return 6_000 * syllable * tones;
  });
  return wavFile(samples, rate);
}

/** Begins a spoken interview whose questions all sound like `voice`. */
async function beginWithVoice(page: Page, template: 'interactive_avatar_2' | 'interactive_voice') {
  const fields = { interview_template_id: platform.stack.template_ids[template] };
  const { url } = await calls.register(await calls.makeInterview([{ question: 'First?' }], fields));
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    void (request.url().includes('turn-speech')
      ? request.respond({ body: voice(), contentType: 'audio/wav' })
      : request.continue());
  });
  await beginInterview(page, url, 'First?');
}

/** Keeps the shapes of the mouth, and the names of all parts of the picture that change from now on, in the page. */
const watchPicture = (page: Page) =>
  page.evaluate(`
    window.seen = { mouths: new Set(), moved: new Set() };
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const layer = target.closest('[data-layer]')?.dataset.layer ?? 'head';
        if (target.dataset.part === 'opening') seen.mouths.add(target.getAttribute('d'));
        seen.moved.add(layer);
      }
    }).observe(document.querySelector('.figure'), { attributes: true, subtree: true });
  `);
const seen = (page: Page) =>
  page.evaluate('({ mouths: seen.mouths.size, moved: [...seen.moved].sort() })') as Promise<{
    mouths: number;
    moved: string[];
  }>;
/** The line between the lips is drawn only while they are closed. */
const isClosed = (page: Page) =>
  page.$eval('.figure [data-part=line]', (element) => element.getAttribute('d') !== '');
const state = (page: Page) => page.$eval('[role=img]', (element) => element.getAttribute('aria-label'));
const waitForState = (page: Page, name: string) =>
  waitFor(`the state ${name}`, async () => (await state(page)) === `AI interviewer, generated. ${name}`);

describe('the picture of the interviewer', () => {
  it('moves its mouth with the sound of a question, rests in silence, and can be hidden', async () => {
    const page = await browser.open();
    const complaints = complaintsOf(page);
    await beginWithVoice(page, 'interactive_avatar_2');
    await waitForState(page, 'Ready');
    await watchPicture(page);
    await pressButton(page, 'Listen again');
    await waitForState(page, 'Speaking');
    await waitFor('ten shapes of the mouth', async () => (await seen(page)).mouths > 10);
    await waitFor('an open mouth', async () => !(await isClosed(page)));
    await waitForState(page, 'Ready');
    await waitFor('a closed mouth', () => isClosed(page));
    expect((await seen(page)).moved).toEqual(expect.arrayContaining(['eyes', 'head', 'mouth']));
    // Nothing but the mouth moves for candidates who prefer reduced motion.
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
    // The head comes to rest in the next frame.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await watchPicture(page);
    await pressButton(page, 'Listen again');
    await waitFor('ten shapes of the mouth', async () => (await seen(page)).mouths > 10);
    await waitForState(page, 'Ready');
    expect((await seen(page)).moved).toEqual(['face', 'mouth']);
    await pressButton(page, 'Hide the interviewer');
    await page.reload();
    await waitForText(page, 'Show the interviewer');
    expect(await page.$('.stage')).toBeNull();
    await pressButton(page, 'Show the interviewer');
    await page.waitForSelector('[data-part="white left"][d]');
    expect(complaints).toEqual([]);
  });

  it('is a ring for an interview by voice', async () => {
    const page = await browser.open();
    await beginWithVoice(page, 'interactive_voice');
    await waitForState(page, 'Ready');
    const ring = () => page.$eval('.figure > i', (element) => element.getAttribute('style'));
    const rest = await ring();
    await pressButton(page, 'Listen again');
    await waitFor('a larger ring', async () => (await ring()) !== rest);
    expect(await textNow(page, '.interviewer')).toContain('AI interviewer, generated');
    expect(await page.$('.figure svg')).toBeNull();
  });
});
