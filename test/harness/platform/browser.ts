import path from 'node:path';
import type { Page } from 'puppeteer-core';
import { startBrowser as start } from '../../../local/browser';
import type { HeadlessBrowser } from '../../../local/browser';
import { infrastructure } from './infrastructure';

export type TestBrowser = HeadlessBrowser;

let shared: Promise<TestBrowser> | undefined;
const pages: Page[] = [];

/** Returns the browser that the parts of a test file share (run-parts.ts). Its pages are closed after each test. */
export async function sharedBrowser(): Promise<TestBrowser> {
  const browser = await (shared ??= startBrowser());
  return {
    ...browser,
    open: async (options) => {
      const page = await browser.open(options);
      pages.push(page);
      return page;
    },
  };
}

/** Closes the pages of a test, because an open page goes on with its requests and recordings. */
export const closePages = async (): Promise<void> =>
  void (await Promise.all(pages.splice(0).map((page) => page.browserContext().close())));

/** Closes the shared browser when all `*.part.ts` files of an entry file have ended. */
export const closeSharedBrowser = async (): Promise<void> => (await shared)?.close();

/**
 * Returns the list to which the errors and warnings that the browser logs for a page are added, such as violations of
 * its security policy. Messages of level info are left out, because the browser logs one when a test focuses a field
 * before autofocus does.
 */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'info') complaints.push(`${message.type()} ${message.text()}`);
  });
  page.on('pageerror', (error) => void complaints.push(String(error)));
  return complaints;
}

/** Starts a headless Chromium. Each jest worker starts its own, whose files are in the folder of this test run. */
const startBrowser = (): Promise<TestBrowser> =>
  start(path.join(infrastructure().folder, `browser-${process.env['JEST_WORKER_ID'] ?? '1'}`));
