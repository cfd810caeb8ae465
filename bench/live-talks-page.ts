import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';

/** Waits until something is so, for three minutes: a busy machine transcribes late. */
export async function until<Value>(
  what: string,
  look: () => Promise<Value | undefined | false>,
): Promise<Value> {
  for (const endsAt = Date.now() + 180_000; Date.now() < endsAt; await sleep(50)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
  }
  throw new Error(`waited in vain for ${what}`);
}

/** Presses the button with this text. The app may replace the elements of the server's page meanwhile. */
export const press = (page: Page, text: string) =>
  until(`the button ${text}`, async () => {
    const button = `::-p-xpath(//button[normalize-space()=${JSON.stringify(text)} and not(@disabled)])`;
    const found = await page.$(button).catch(() => null);
    return (
      (await found?.press('Enter').then(
        () => true,
        () => false,
      )) === true
    );
  });
export const doing = (page: Page, state: string) =>
  until(`that the interviewer ${state}`, async () => (await page.$(`.stage[data-state=${state}]`)) !== null);
