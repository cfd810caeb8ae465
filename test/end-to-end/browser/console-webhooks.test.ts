import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { Page } from 'puppeteer-core';
import { createObjectStore } from '../../../db/platform/object-store';
import { jwkSet } from '../../../db/platform/tokens';
import { recordedResultId, seedRecordings } from '../../../local/seed/recordings';
import { consoleLink } from '../../harness/identity/console';
import { complaintsOf, sharedBrowser } from '../../harness/platform/browser';
import type { TestBrowser } from '../../harness/platform/browser';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { waitFor } from '../../harness/wait-for';
import { startReceiver } from '../../harness/webhooks/hook-sink';
import type { Receiver } from '../../harness/webhooks/hook-sink';
import { makeEndpoint } from '../../harness/webhooks/webhook-calls';
import { putAttempt, putDelivery, putEndpoint } from '../../harness/webhooks/webhook-rows';

let platform: Platform;
let browser: TestBrowser;
let receiver: Receiver;
beforeAll(async () => {
  [platform, browser, receiver] = await Promise.all([
    sharedPlatform({ worker: true }),
    sharedBrowser(),
    startReceiver(),
  ]);
});
afterAll(async () => {
  await receiver?.close();
});

const signIn = async (page: Page, path: string) => {
  await page.goto(await consoleLink(platform, 'merchant_owner'));
  await Promise.all([page.waitForNavigation(), page.click('main button')]);
  await page.goto(`${platform.stack.console_url}${path}`);
};
const waitForText = (page: Page, selector: string, words: string) =>
  page.waitForFunction(
    `document.querySelector('${selector}').textContent.replace(/\\s+/g, ' ').includes('${words}')`,
  );

describe('a delivery in a browser', () => {
  it('is retried from its page by keyboard after it gave up, and is shown as delivered without a reload', async () => {
    const { id: endpoint } = await makeEndpoint(platform, { url: `${receiver.url}/hooks` });
    const id = await putDelivery(platform.database, endpoint, {
      event: 'interview_result',
      result_id: recordedResultId,
      reason: 'score',
      state: 'gave_up',
      attempts: 10,
      last_outcome: 'refused',
      last_status: 500,
    });
    await putAttempt(platform.database, id, { attempt: 10, status: 500 });
    const held: ServerResponse[] = [];
    receiver.answer = (_received, response) => void held.push(response);

    const page = await browser.open();
    const complaints = complaintsOf(page);
    await signIn(page, `/deliveries/${id}`);
    await waitForText(page, '#standing', 'Failed');
    await page.focus('#standing button');
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    await page.evaluate('globalThis.isSamePage = true');
    await waitFor('the delivery to come', async () => receiver.received.length > 0);
    // The delivery is still queued, because the receiver has not responded yet.
    expect(await page.$eval('#standing .badge', (badge) => badge.textContent)).toBe('Queued');
    expect(receiver.received).toMatchObject([{ path: '/hooks', id, attempt: 1 }]);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ id: recordedResultId });

    for (const response of held) response.writeHead(202).end('taken');
    await waitForText(page, '#standing', 'Delivered');
    await waitForText(page, '#timeline', 'Attempt 1 of series 2 HTTP 202');
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
    expect(await page.$eval('#attempt-2-1', (attempt) => attempt.textContent)).toContain('taken');
    expect(complaints).toEqual([]);
  });

  it('shows the responses of receivers as text, runs no script of them and loads nothing', async () => {
    const endpoint = await putEndpoint(platform.database, { enabled: false });
    const id = await putDelivery(platform.database, endpoint, { state: 'gave_up' });
    const evil = `</pre><img src="${receiver.url}/seen" onerror="globalThis.isOwned=1"><script>globalThis.isOwned=1</script>`;
    await putAttempt(platform.database, id, {
      response_body: evil,
      response_headers: JSON.stringify({ 'x-evil': evil }),
      error: evil,
      request_body: evil,
    });
    const page = await browser.open();
    const complaints = complaintsOf(page);
    await signIn(page, `/deliveries/${id}`);
    expect(await page.$$eval('main pre', (blocks) => blocks.map(({ textContent }) => textContent))).toEqual([
      evil,
      `x-evil: ${evil}`,
      evil,
    ]);
    expect(await page.$eval('#standing', (standing) => standing.textContent)).toContain(
      `webhook-retries/${endpoint}`,
    );
    expect(await page.evaluate('globalThis.isOwned')).toBeUndefined();
    expect(receiver.received.map(({ path }) => path)).not.toContain('/seen');
    expect(complaints).toEqual([]);
  });
});

describe('a result in a browser', () => {
  it('plays its recordings under the content security policy of the page', async () => {
    const keys = jwkSet.parse(readFileSync(platform.linkKeysFile, 'utf8'));
    await seedRecordings(
      await createObjectStore(
        { kind: 'folder', folder: platform.objectsFolder },
        keys,
        platform.stack.origin,
      ),
    );
    const page = await browser.open();
    const complaints = complaintsOf(page);
    await signIn(page, `/results/${recordedResultId}`);
    const seconds = await page.evaluate(`Promise.all([...document.querySelectorAll('audio')].map((audio) =>
      new Promise((resolve) => {
        audio.onloadedmetadata = () => resolve(audio.duration);
        audio.onerror = () => resolve(audio.error.message);
        audio.load();
        audio.preload = 'metadata';
      })))`);
    expect(seconds).toEqual([1, 0.75]);
    expect(complaints).toEqual([]);
  });
});

it('shows no page with anything wider than the window, and the whole table of results', async () => {
  const long = 'x'.repeat(400);
  const endpoint = await putEndpoint(platform.database, {
    url: `https://${'a'.repeat(60)}.example/${long}`,
    description: long,
    paused_reason: 'failing',
    paused_at: '2026-01-15T09:30:00Z',
  });
  const id = await putDelivery(platform.database, endpoint, { state: 'retried', attempts: 1, reason: long });
  await putAttempt(platform.database, id, {
    outcome: 'timeout',
    error: long,
    request_headers: JSON.stringify({ [long]: long }),
    request_body: long,
    response_body: long,
    total_ms: 60_000,
  });
  await platform.database.rows(
    `update interview_result set user_feedback_recruiter = $2, ai_analysis_recruiter = $2 where id = $1`,
    [recordedResultId, long],
  );
  const page = await browser.open({ width: 380, scheme: 'dark' });
  await signIn(page, '/deliveries');
  for (const path of [
    '/deliveries?status=500',
    `/deliveries/${id}`,
    '/endpoints',
    `/endpoints/${endpoint}`,
    '/replays',
    '/results',
    `/results/${recordedResultId}`,
  ]) {
    await page.goto(`${platform.stack.console_url}${path}`);
    const heights = `[...document.querySelectorAll('.one-line')].map((link) => link.getBoundingClientRect().height)`;
    const seen = await page.evaluate(
      `[${heights}.some((height) => height > 40), document.documentElement.scrollWidth > innerWidth]`,
    );
    expect([path, seen]).toEqual([path, [false, false]]);
  }
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(`${platform.stack.console_url}/results`);
  const cut = `[...document.querySelectorAll('.scroll')].map((table) => table.scrollWidth > table.clientWidth)`;
  expect(await page.evaluate(cut)).toEqual([false]);
});
