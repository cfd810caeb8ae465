import { randomUUID } from 'node:crypto';
import type { Page } from 'puppeteer-core';
import { complaintsOf, sharedBrowser } from '../../harness/platform/browser';
import type { TestBrowser } from '../../harness/platform/browser';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls, turnOf } from '../../harness/taking/candidate';
import { consentTo, pressButton, waitForHeading } from '../../harness/taking/candidate-page';
import { waitFor } from '../../harness/wait-for';

/* Tests the instructional video of an interview (docs/taking.md#instructional-video). */

let platform: Platform;
let browser: TestBrowser;
let calls: ReturnType<typeof candidateCalls>;
beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform({ worker: false }), sharedBrowser()]);
  calls = candidateCalls(platform);
});

const heading = 'Please watch this short introduction before you begin.';

/** Makes an interview whose instructional video has this text, and registers a candidate. */
async function register(text: string) {
  const interviewId = await calls.makeInterview([{ question: text }, { question: 'First?' }]);
  await platform.database.rows(
    `update question set view = 'instructional_video' where question = $1 and id in (
       select question_id from interview_question where interview_id = $2
     )`,
    [text, interviewId],
  );
  return calls.register(interviewId);
}

/** Returns a minute of silence. Browsers play what a file contains, whatever its name is. */
function silence(): Buffer {
  const samples = 60 * 8_000;
  const head = Buffer.alloc(44);
  head.write('RIFF');
  head.writeUInt32LE(36 + samples, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20); // PCM
  head.writeUInt16LE(1, 22); // one channel
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE(8_000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34); // bits of a sample
  head.write('data', 36);
  head.writeUInt32LE(samples, 40);
  return Buffer.concat([head, Buffer.alloc(samples, 128)]);
}
const isNextShown = (page: Page) =>
  page.$eval('form button[name=seen]', (button) => button.checkVisibility()).catch(() => false);

describe('an instructional video', () => {
  it('is played once before it can be skipped, from its own site only', async () => {
    const address = `https://videos.example/${randomUUID()}.webm`;
    const { url, token } = await register(address);
    const page = await browser.open();
    const complaints = complaintsOf(page);
    const policies: string[] = [];
    page.on('response', (response) => {
      const policy = response.headers()['content-security-policy'];
      if (response.request().resourceType() === 'document' && policy) policies.push(policy);
    });
    await consentTo(page, url);
    expect(policies.at(-1)).toContain("; media-src 'self' https://videos.example blob:;");
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      void (request.url() === address
        ? request.respond({ body: silence(), contentType: 'audio/wav' })
        : request.continue());
    });
    await pressButton(page, 'Continue');
    await waitForHeading(page, heading);
    await page.waitForFunction("document.querySelector('video')?.currentTime > 0");
    expect(await isNextShown(page)).toBe(false);
    expect((await calls.get(token)).attempt.turn).toMatchObject({
      kind: 'instructional_video',
      has_speech: false,
    });
    await page.evaluate("document.querySelector('video').playbackRate = 16");
    await waitFor('the end of the video', () => isNextShown(page));
    await pressButton(page, 'Continue');
    await waitForHeading(page, 'First?');
    await page.reload();
    expect(policies.at(-1)).toContain("; media-src 'self' blob:;");
    expect(complaints).toEqual([]);
  });

  it('can be skipped if it cannot be played, and through the operation at any time', async () => {
    const { url, token } = await register(`https://127.0.0.1:1/${randomUUID()}.mp4`);
    const page = await browser.open();
    await consentTo(page, url);
    await pressButton(page, 'Continue');
    await waitForHeading(page, heading);
    await waitFor('the button', () => isNextShown(page));
    const { attempt } = await calls.get(token);
    const { turn_id: id } = turnOf(attempt);
    expect(await calls.answer(token, id, { seen: true })).toMatchObject({
      attempt: { turn: { text: 'First?' } },
    });
  });
});
