import { consoleLink } from '../../harness/identity/console';
import { complaintsOf, sharedBrowser } from '../../harness/platform/browser';
import type { TestBrowser } from '../../harness/platform/browser';
import { held } from '../../harness/platform/platform';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let browser: TestBrowser;
beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform({ worker: true }), sharedBrowser()]);
});

describe('an interview in a browser', () => {
  it('is created while the page says so, put in order by keyboard, saved unchanged and previewed in a new tab', async () => {
    const page = await browser.open();
    const complaints = complaintsOf(page);
    const send = (selector: string) => Promise.all([page.waitForNavigation(), page.click(selector)]);
    await page.goto(await consoleLink(platform, 'merchant_owner'));
    await send('main button');

    await page.goto(`${platform.stack.console_url}/interviews`);
    await send('main a[href$="/interviews/new"]');
    await page.type('[name=name]', 'Night baker');
    await page.type('[name=location]', 'Ghent');
    await platform.fault({ provider: 'openai', ...held });
    void page.click('form.fields button').catch(() => undefined);
    await page.waitForSelector('.meanwhile progress');
    await platform.clearFaults();
    await page.waitForSelector('.can-drag .reorder > li');
    expect(await page.$eval('h1', (title) => title.textContent)).toBe('Night baker');

    const questions = () => page.$$eval('.reorder a', (links) => links.map(({ textContent }) => textContent));
    const [first, second, ...others] = await questions();
    await page.focus('.reorder > li:nth-child(2) [value^=up]');
    await page.keyboard.press('Enter');
    expect(await questions()).toEqual([second, first, ...others]);
    const saveOrder = 'form:has(.reorder) .acts-row button';
    await send(saveOrder);
    expect(await questions()).toEqual([second, first, ...others]);

    await send('a[href$="/settings"].button');
    await send('form.fields button');
    expect(await page.$eval('.flash', (flash) => flash.textContent)).toBe('No changes to save.');

    const opened = new Promise<{ url: () => string } | null>((resolve) => page.once('popup', resolve));
    await page.click('form[action$="/preview"] button');
    const preview = (await opened) as typeof page;
    await preview.waitForFunction(`location.pathname.startsWith('/interview/take/')`);
    expect(complaints).toEqual([]);
  });
});
