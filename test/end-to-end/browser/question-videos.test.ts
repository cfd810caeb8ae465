import { platformTemplateIds } from '../../../local/seed/templates';
import { consoleLink } from '../../harness/identity/console';
import { definitionCalls, given } from '../../harness/interviews/definitions';
import { complaintsOf, sharedBrowser } from '../../harness/platform/browser';
import type { TestBrowser } from '../../harness/platform/browser';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls } from '../../harness/taking/candidate';
import { consentTo, pressButton, waitForHeading, waitForText } from '../../harness/taking/candidate-page';
import { until, waitFor } from '../../harness/wait-for';

let platform: Platform;
let browser: TestBrowser;
beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform({ worker: true }), sharedBrowser()]);
});

/** Creates an interview of which all videos failed that the provider was told to fail. */
async function makeInterview(failures: number): Promise<string> {
  const interviews = definitionCalls(platform);
  if (failures > 0) await platform.fault({ provider: 'heygen', video: 'fails', times: failures });
  const { body } = await interviews.fromArray({
    interview_template_id: platformTemplateIds.offline_avatar_3,
    questions: [given('What did you build?')],
  });
  const id = String(body['interview_def_set_id']);
  await until(
    'the end of all renderings',
    async () => (await interviews.read(id))['question_videos'] as { ready: number; failed: number } | null,
    (videos) => videos?.failed === failures && videos.ready === 3 - failures,
  );
  return id;
}

describe('a question that is spoken in a video', () => {
  it('plays by itself with its label, and is spoken by the drawn figure if the video cannot be played', async () => {
    const { url } = await candidateCalls(platform).register(await makeInterview(0));
    const page = await browser.open();
    await page.setRequestInterception(true);
    let isBroken = false;
    page.on('request', (request) => {
      void (isBroken && request.url().includes('/video?')
        ? request.respond({ contentType: 'video/mp4', body: 'no video' })
        : request.continue());
    });
    await consentTo(page, url);
    await waitFor('the video to play', () => page.$eval('figure video', (video) => video.currentTime > 0));
    await waitForText(page, 'AI interviewer, generated');
    expect(await page.$('.stage')).toBeNull();
    isBroken = true;
    await pressButton(page, 'Type instead');
    await pressButton(page, 'Continue');
    await waitForHeading(page, 'What did you build?');
    await page.waitForSelector('.stage.offline_avatar_3[data-state=speaks]');
    expect(await page.$('video')).toBeNull();
  });
});

describe('the videos of an interview in the console', () => {
  it('are rendered again with a button, and the page says by itself when they are ready', async () => {
    const id = await makeInterview(3);
    const page = await browser.open();
    const complaints = complaintsOf(page);
    await page.goto(await consoleLink(platform, 'merchant_owner'));
    await Promise.all([page.waitForNavigation(), page.click('main button')]);
    await page.goto(`${platform.stack.console_url}/interviews/${id}`);
    await waitForText(page, 'Videos: 0 ready, 0 being rendered, 3 failed. The drawn figure speaks');
    await pressButton(page, 'Render again');
    await waitForText(page, 'Videos: 3 ready, 0 being rendered, 0 failed.');
    expect(await page.$('form[action$="/videos"]')).toBeNull();
    expect(complaints).toEqual([]);
  });
});
