import type { Page } from 'puppeteer-core';
import { makeKey } from '../../harness/identity/accounts';
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

  it('keeps a person signed in who comes from another site', async () => {
    const page = await browser.open();
    await signIn(page);
    await page.goto(`${platform.stack.portal_url}/`);
    await page.evaluate(`location.assign('${platform.stack.console_url}/settings')`);
    await page.waitForFunction(`document.title.startsWith('Settings')`);
    expect(page.url()).toBe(`${platform.stack.console_url}/settings`);
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
      for (const path of ['access', 'activity', 'settings', 'merchants', 'nothing', 'sign-in']) {
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
