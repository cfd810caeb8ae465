import type { Page } from 'puppeteer-core';
import { connectBrowser } from '../../../local/browser';
import type { HeadlessBrowser } from '../../../local/browser';
import { atEnd, atEndOfTest } from '../at-end';
import { borrow } from './infrastructure';

export type TestBrowser = HeadlessBrowser;

/**
 * Returns the browser that all test files share. Its pages are closed after each test, because an open page goes on with
 * its requests and recordings.
 */
export async function sharedBrowser(): Promise<TestBrowser> {
  const browser = await connectBrowser(await borrow<string>('browser'));
  atEnd(browser.close);
  return {
    ...browser,
    open: async (options) => {
      const page = await browser.open(options);
      atEndOfTest(() => page.browserContext().close());
      return page;
    },
  };
}

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
