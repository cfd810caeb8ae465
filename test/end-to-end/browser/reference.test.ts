import type { Page } from 'puppeteer-core';
import { complaintsOf, sharedBrowser } from '../../harness/platform/browser';
import type { TestBrowser } from '../../harness/platform/browser';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let browser: TestBrowser;
beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform({ worker: true }), sharedBrowser()]);
});

/**
 * Opens a page of the documentation. Returns what the browser logs, and the origins from which the page loads files.
 */
async function open(place: string, width: number) {
  const page = await browser.open({ width, scheme: width < 500 ? 'dark' : 'light' });
  const complaints = complaintsOf(page);
  const origins = new Set<string>();
  page.on('request', (request) => void origins.add(new URL(request.url()).origin));
  await page.goto(platform.stack.origin + place);
  return { page, complaints, origins };
}
const showing = (page: Page, text: string) =>
  page.waitForFunction(`document.body.innerText.includes(${JSON.stringify(text)})`);

describe('the documentation in a browser', () => {
  it('fits 320 pixels and loads nothing from another host', async () => {
    const { page, complaints, origins } = await open('/docs/reference/webhooks', 320);
    await showing(page, 'Store a body only if its');
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(overflow)).toBe(0);
    await page.goto(`${platform.stack.origin}/docs/webhooks`);
    await showing(page, 'Store only what is newer');
    expect(await page.evaluate(overflow)).toBe(0);
    expect(complaints).toEqual([]);
    expect([...origins]).toEqual([platform.stack.origin]);
  });

  it('finds an operation by the name of one of its fields, and links to the guide', async () => {
    const { page } = await open('/docs/reference', 1280);
    await showing(page, 'AI-conducted interviews');
    await page.click('[aria-label*="Search" i], button[class*="search" i]');
    await page.waitForSelector('[role=dialog] input, input[role=combobox]');
    await page.keyboard.type('questions_random_subset');
    await page.waitForFunction(
      `[...document.querySelectorAll('[role=option]')].some((option) => option.innerText.includes('/job-interview-create'))`,
    );
    await page.keyboard.press('Escape');
    await Promise.all([page.waitForNavigation(), page.click('.areas a[href="/docs"]')]);
    expect(new URL(page.url()).pathname).toBe('/docs');
    await showing(page, 'Getting started');
  });
});
