import type { Page } from 'puppeteer-core';
import { consoleLink } from '../../harness/identity/console';
import { complaintsOf, sharedBrowser } from '../../harness/platform/browser';
import type { TestBrowser } from '../../harness/platform/browser';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let browser: TestBrowser;
beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform({ worker: true }), sharedBrowser()]);
});

const hiringMonth = '0198a000-0000-7000-8000-00000000c001';
const displayOf = (page: Page, selector: string) =>
  page.evaluate(`getComputedStyle(document.querySelector('${selector}')).display`);

describe('a report in a browser', () => {
  it('fits a narrow window and keeps to the content security policy', async () => {
    const page = await browser.open({ width: 390, scheme: 'dark' });
    const complaints = complaintsOf(page);
    await page.goto(await consoleLink(platform, 'merchant_owner'));
    await Promise.all([page.waitForNavigation(), page.click('main button')]);
    await page.goto(`${platform.stack.console_url}/reports/${hiringMonth}?period=last_365_days`);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    const widths = await page.$$eval('.chart .plot', (charts) =>
      charts.map((chart) => chart.getBoundingClientRect().width),
    );
    expect(Math.min(...widths)).toBeGreaterThan(200);

    expect(await displayOf(page, '.dates-of')).toBe('none');
    await page.select('[name=period]', 'custom');
    expect(await displayOf(page, '.dates-of')).toBe('contents');
    await page.click('.block-data summary');
    expect(
      await page.$eval('.block-data table', (table) => table.getBoundingClientRect().height),
    ).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
  });

  it('shows the values of a chart to a mouse, a finger and the keyboard', async () => {
    const page = await browser.open({ width: 1280 });
    await page.goto(await consoleLink(platform, 'merchant_owner'));
    await Promise.all([page.waitForNavigation(), page.click('main button')]);
    await page.goto(`${platform.stack.console_url}/reports/${hiringMonth}?period=last_365_days`);
    const titles = await page.$$eval('.chart:has(.readings) .readings title', (all) =>
      all.map(({ textContent }) => textContent),
    );
    const shown = () => page.$eval('.chart-values', (box) => box.textContent);
    const [first, second] = await page.$$('.readings rect');
    await first?.hover();
    expect(await shown()).toBe(titles[0]);
    await second?.tap();
    expect(await shown()).toBe(titles[1]);
    await page.focus('.chart:has(.readings)');
    await page.keyboard.press('Escape');
    expect(await shown()).toBe('');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await shown()).toBe(titles[2]);
    // The values stay when the page moves, and a frame later its listeners have run.
    await page.evaluate(
      'new Promise((done) => { scrollBy(0, 1); requestAnimationFrame(() => setTimeout(done)); })',
    );
    expect(await shown()).toBe(titles[2]);
  });
});
