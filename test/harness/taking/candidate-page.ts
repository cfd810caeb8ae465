import type { Page } from 'puppeteer-core';
import { until, waitFor } from '../wait-for';

/* What a candidate does on the pages of an interview in a browser with scripts. */

export const textOf = (page: Page, selector: string) =>
  page.$eval(selector, (element) => element.textContent);
export const question = (page: Page) => textOf(page, 'h1');

/** Presses a button of a form and waits for the next page of the server. */
export const press = (page: Page, selector: string) =>
  Promise.all([page.waitForNavigation(), page.click(selector)]);

/**
 * Returns the text of an element without its scripts, because the JSON for the app contains all texts of the app.
 * Returns an empty text while the page has no such element or loads another page.
 */
export const textNow = (page: Page, selector: string): Promise<string> =>
  page
    .$eval(selector, (element) => {
      const copy = element.cloneNode(true);
      for (const script of copy.querySelectorAll('script')) script.remove();
      return copy.textContent;
    })
    .catch(() => '');

/** Waits until the heading of the page is `heading`. */
export const waitForHeading = (page: Page, heading: string) =>
  waitFor(`the heading ${heading}`, async () => (await textNow(page, 'h1')) === heading);

/** Waits until the page has this text. If the wait fails, its error contains the text that the page has instead. */
export const waitForText = (page: Page, text: string | RegExp) =>
  until(
    `the text ${text}`,
    () => textNow(page, 'main'),
    (shown) => (typeof text === 'string' ? shown.includes(text) : text.test(shown)),
  );

/** Opens the link, gives consent and begins the interview. The welcome is then shown. */
export async function consentTo(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.click('[name=consent]');
  await press(page, 'form[action*=begin] button');
}

/** Opens the link, begins the interview, leaves the welcome step and types answers from then on. */
export async function beginInterview(page: Page, url: string, firstQuestion: string): Promise<void> {
  await consentTo(page, url);
  await pressButton(page, 'Type instead');
  await (await page.waitForSelector('form button'))?.press('Enter');
  await waitForHeading(page, firstQuestion);
}

/**
 * Presses the button with this text by keyboard, because a click would miss a button that moves while the parts above it
 * appear. If there is no such button, throws an error that contains the text of the page.
 */
export async function pressButton(page: Page, text: string): Promise<void> {
  const named = `normalize-space()=${JSON.stringify(text)}`;
  const found = await page
    .waitForSelector(
      `::-p-xpath(//button[${named} and not(@disabled)] | //summary[${named}] | //*[@class="quiet"]//a[${named}])`,
    )
    .catch(() => null);
  if (!found)
    throw new Error(`There is no button ${text} to press. The page shows: ${await textNow(page, 'main')}`);
  await found.press('Enter');
}
