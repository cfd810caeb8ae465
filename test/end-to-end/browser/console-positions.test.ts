import type { Page } from 'puppeteer-core';
import { consoleLink } from '../../harness/identity/console';
import { cloneInterview } from '../../harness/people/people';
import { complaintsOf, sharedBrowser } from '../../harness/platform/browser';
import type { TestBrowser } from '../../harness/platform/browser';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let browser: TestBrowser;
beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform({ worker: false }), sharedBrowser()]);
});

const signIn = async (page: Page, path: string) => {
  await page.goto(await consoleLink(platform, 'merchant_owner'));
  await Promise.all([page.waitForNavigation(), page.click('main button')]);
  await page.goto(`${platform.stack.console_url}${path}`);
};
const press = (page: Page, selector: string) => Promise.all([page.waitForNavigation(), page.click(selector)]);
/** Returns the names of the steps in the order of the page. */
const namesOf = (page: Page) =>
  page.$$eval('.reorder > li a', (links) => links.map(({ textContent }) => textContent ?? ''));
const save = 'form[action*="/steps"] div > button:not([name])';

describe('a position in a browser', () => {
  it('is created, and its steps are moved with the mouse, by keyboard and without scripts', async () => {
    for (const name of ['Screening', 'Technical', 'Team'])
      await cloneInterview(platform.database, { name, created_at: '2999-01-01' });
    const page = await browser.open();
    const complaints = complaintsOf(page);
    await signIn(page, '/positions/new');
    await page.type('#name', 'Nurse');
    await page.type('#location', 'Ghent');
    for (const name of ['Screening', 'Technical'])
      await page.click(`::-p-xpath(//fieldset//label[contains(., '${name}')]/input)`);
    await press(page, 'main form button:not([name])');
    expect(await page.$eval('h1', (title) => title.textContent)).toBe('Nurse');
    const first = await namesOf(page);
    expect(new Set(first)).toEqual(new Set(['Screening', 'Technical']));

    await page.select('#add', await page.$eval('::-p-xpath(//option[. = "Team"])', (option) => option.value));
    await press(page, 'button[value=add]');
    expect(await namesOf(page)).toEqual([...first, 'Team']);

    // By keyboard: the focus stays on the button of the step that moves.
    await page.focus('[aria-label="Up: Team"]');
    await page.keyboard.press('Enter');
    expect(await namesOf(page)).toEqual([first[0], 'Team', first[1]]);
    await page.keyboard.press('Enter');
    expect(await namesOf(page)).toEqual(['Team', ...first]);
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Down: Team');
    await press(page, save);
    expect(await page.$eval('.flash', (flash) => flash.textContent)).toContain('Steps saved.');
    expect(await namesOf(page)).toEqual(['Team', ...first]);

    // With the mouse: Escape puts a step back, a drop leaves it.
    const drag = async () => {
      const [from, to] = await page.$$eval('.reorder > li', ([one, , three]) =>
        [one, three].map((row) => row?.getBoundingClientRect().bottom ?? 0),
      );
      await page.mouse.move(...(await centerOf(page, '.reorder > li .grip')));
      await page.mouse.down();
      await page.mouse.move(200, (from ?? 0) + 5, { steps: 5 });
      await page.mouse.move(200, (to ?? 0) - 3, { steps: 10 });
    };
    await drag();
    expect(await namesOf(page)).toEqual([...first, 'Team']);
    await page.keyboard.press('Escape');
    await page.mouse.up();
    expect(await namesOf(page)).toEqual(['Team', ...first]);
    await drag();
    await page.mouse.up();
    await press(page, save);
    expect(await namesOf(page)).toEqual([...first, 'Team']);

    await page.setJavaScriptEnabled(false);
    await page.reload();
    await press(page, '[aria-label="Up: Team"]');
    expect(await page.$eval('[role=status]', (status) => status.textContent)).toContain('not saved');
    await press(page, '[aria-label^="Remove: "]');
    await press(page, save);
    expect(await namesOf(page)).toEqual(['Team', first[1]]);
    expect(complaints).toEqual([]);
  });
});

const centerOf = async (page: Page, selector: string): Promise<[number, number]> => {
  const { left, top, width, height } = await page.$eval(selector, (each) => {
    const box = each.getBoundingClientRect();
    return { left: box.left, top: box.top, width: box.width, height: box.height };
  });
  return [left + width / 2, top + height / 2];
};
