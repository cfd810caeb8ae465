import type { Page } from 'puppeteer-core';
import { makeKey } from '../../harness/identity/accounts';
import { consoleLink } from '../../harness/identity/console';
import { cloneInterview, cloneWithSteps } from '../../harness/people/people';
import { complaintsOf, sharedBrowser } from '../../harness/platform/browser';
import type { TestBrowser } from '../../harness/platform/browser';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let browser: TestBrowser;
beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform({ worker: false }), sharedBrowser()]);
});

/** Presses Tab until the element with this text has the focus, and checks that the focus is visible. */
async function tabTo(page: Page, words: string): Promise<void> {
  for (let press = 0; press < 60; press++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(`(() => {
      const { activeElement } = document;
      const isDrawn = getComputedStyle(activeElement).outlineStyle !== 'none';
      const text = (activeElement.labels?.[0] ?? activeElement).textContent;
      return text.trim() + (isDrawn ? '' : ' (focus not drawn)');
    })()`);
    if (focused === words) return;
  }
  throw new Error(`no Tab reaches ${words}`);
}
const enter = async (page: Page) => {
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
};
/** Signs in with the mouse, and opens this page. */
const openAt = async (page: Page, path: string) => {
  await page.goto(await consoleLink(platform, 'merchant_owner'));
  await press(page, 'main button');
  await page.goto(`${platform.stack.console_url}${path}`);
};
const press = (page: Page, selector: string) => Promise.all([page.waitForNavigation(), page.click(selector)]);
/** Signs in, and opens the Access page of the settings with the keyboard. */
const signIn = async (page: Page) => {
  await page.goto(await consoleLink(platform, 'merchant_owner'));
  await page.waitForFunction(`document.activeElement.textContent === 'Sign in'`);
  await enter(page);
  for (const entry of ['Settings', 'Access']) {
    await tabTo(page, entry);
    await enter(page);
  }
};

describe('console in a browser', () => {
  it('can be used by keyboard alone to sign in, create a key, revoke it and sign out', async () => {
    const page = await browser.open();
    const complaints = complaintsOf(page);
    await signIn(page);
    expect(page.url()).toBe(`${platform.stack.console_url}/access`);

    await tabTo(page, 'Skip to content');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Name');
    await page.keyboard.type('Typed key');
    await enter(page);
    const key = await page.$eval('#service_key', (input) => input.getAttribute('value') ?? '');
    await page.evaluate('navigator.clipboard.writeText = async (text) => void (globalThis.copied = text)');
    await page.click('[data-copy]');
    expect(await page.evaluate('globalThis.copied')).toBe(key);
    const call = () =>
      platform.call('merchant-status', { token: key, query: { merchant_id: platform.stack.merchant_id } });
    expect((await call()).status).toBe(200);

    await tabTo(page, 'Access');
    await enter(page);
    expect(await page.$eval('#keys tbody tr', (row) => row.textContent)).toContain('Typed key');
    expect(await page.content()).not.toContain(key);
    await tabTo(page, 'Revoke');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Revoke');
    await enter(page);
    expect(await page.$eval('[role=status]', (note) => note.textContent)).toBe('Key Typed key revoked.');
    expect((await call()).status).toBe(401);

    await page.keyboard.press('Home');
    await tabTo(page, 'Sign out');
    await enter(page);
    await page.goto(platform.stack.console_url);
    expect(page.url()).toBe(`${platform.stack.console_url}/sign-in`);
    expect(complaints).toEqual([]);
  });

  it('shows changes made elsewhere without a reload, and keeps what is open, typed and focused', async () => {
    const page = await browser.open();
    const complaints = complaintsOf(page);
    await signIn(page);
    await page.type('#name', 'Half a na');
    const open = await page.waitForSelector('#keys [popovertarget]');
    const id = await open?.evaluate((button) => button.getAttribute('popovertarget'));
    await open?.focus();
    await page.keyboard.press('Enter');
    const shown = await page.$$eval('#keys tbody tr', (rows) => rows.length);

    await makeKey(platform, platform.stack.merchant_id);
    await page.waitForFunction(`document.querySelectorAll('#keys tbody tr').length > ${shown}`);
    expect(
      await page.evaluate(`({
        isOpen: document.querySelector('#${id}').matches(':modal'),
        isFocused: document.activeElement === document.querySelector('#${id} [autofocus]'),
        typed: document.querySelector('#name').value,
      })`),
    ).toEqual({ isOpen: true, isFocused: true, typed: 'Half a na' });

    await platform.database.rows(`update session set revoked_at = now() where kind = 'console'`);
    await page.waitForFunction(`location.pathname === '/console/sign-in'`);
    expect(complaints).toEqual([]);
  });

  it('keeps a person signed in who comes from another site, and finds a person with the key /', async () => {
    const page = await browser.open();
    await openAt(page, '/candidates');
    await page.goto(`${platform.stack.portal_url}/`);
    await page.evaluate(`location.assign('${platform.stack.console_url}/candidates')`);
    await page.waitForFunction(`document.title.startsWith('Candidates')`);

    const isInSearch = () => page.evaluate(`document.activeElement.matches('[data-search]')`);
    await page.focus('#filter_text');
    await page.keyboard.type('a/b');
    expect([
      await isInSearch(),
      await page.$eval('#filter_text', (field) => (field as { value?: string }).value),
    ]).toEqual([false, 'a/b']);
    await page.focus('main');
    await page.keyboard.press('/');
    expect(await isInSearch()).toBe(true);
    const [person] = await platform.database.rows<{ profile_id: string; email: string }>(
      `select profile_id, email from enrolment where environment = 'production' and merchant_id = $1 order by id limit 1`,
      [platform.stack.merchant_id],
    );
    await page.keyboard.type(person?.email ?? '');
    await enter(page);
    expect(page.url()).toBe(`${platform.stack.console_url}/candidates/${person?.profile_id}`);
  });

  it('shows nothing wider than the window, in both color schemes', async () => {
    const page = await browser.open();
    await signIn(page);
    for (const [width, scheme] of [
      [390, 'dark'],
      [1280, 'light'],
    ] as const) {
      await page.setViewport({ width, height: 800 });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      for (const path of 'access activity settings merchants nothing candidates mails candidates/invite search?q=example sign-in'.split(
        ' ',
      )) {
        await page.goto(`${platform.stack.console_url}/${path}`);
        const seen = await page.evaluate(`(() => {
          const { color, backgroundColor } = getComputedStyle(document.body);
          const isLight = (colour) => Math.max(...colour.match(/[0-9]+/g).map(Number)) > 127;
          return {
            sticksOut: document.documentElement.scrollWidth > innerWidth,
            hasLightInk: isLight(color),
            hasLightPaper: isLight(backgroundColor),
          };
        })()`);
        const expected = {
          sticksOut: false,
          hasLightInk: scheme === 'dark',
          hasLightPaper: scheme === 'light',
        };
        expect([path, width, seen]).toEqual([path, width, expected]);
      }
    }
  });
});

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
    await openAt(page, '/positions/new');
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

describe('an interview in a browser', () => {
  it('is saved unchanged by the form of its settings, and previewed in a new tab', async () => {
    const id = await cloneWithSteps(platform.database, { name: 'Night baker' });
    const page = await browser.open();
    const complaints = complaintsOf(page);
    await openAt(page, `/interviews/${id}/settings`);
    await press(page, 'form.fields button');
    expect(await page.$eval('.flash', (flash) => flash.textContent)).toBe('No changes to save.');
    const opened = new Promise<{ url: () => string } | null>((resolve) => page.once('popup', resolve));
    await page.click('form[action$="/preview"] button');
    const preview = (await opened) as typeof page;
    await preview.waitForFunction(`location.pathname.startsWith('/interview/take/')`);
    expect(complaints).toEqual([]);
  });
});
