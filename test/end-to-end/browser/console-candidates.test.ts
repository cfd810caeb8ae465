import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'puppeteer-core';
import { consoleLink } from '../../harness/identity/console';
import { cloneInterview, enrolmentsOf } from '../../harness/people/people';
import { complaintsOf, sharedBrowser } from '../../harness/platform/browser';
import type { TestBrowser } from '../../harness/platform/browser';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let browser: TestBrowser;
beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform({ worker: false }), sharedBrowser()]);
});

async function open(width: number): Promise<Page> {
  const page = await browser.open();
  await page.setViewport({ width, height: 800 });
  await page.goto(await consoleLink(platform, 'merchant'));
  await Promise.all([page.waitForNavigation(), page.click('main button')]);
  return page;
}
/** Clicks what has this text, which opens another page. */
const follow = async (page: Page, words: string) => {
  await Promise.all([page.waitForNavigation(), page.click(`::-p-text(${words})`)]);
};
const textOf = (page: Page) => page.$eval('main', (main) => main.textContent);
const isFocused = (page: Page) => page.evaluate(`document.activeElement.matches('[data-search]')`);

describe('the pages of candidates in a browser', () => {
  it.each([1280, 360])('invite 20 people of a file, at a width of %i', async (width) => {
    const interview = await cloneInterview(platform.database, { name: `Plumber ${width}` });
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'people-')), 'people.csv');
    const rows = Array.from(
      { length: 20 },
      (_, place) => `p${place}@width${width}.example;"Ann ""${place}"" Lee"`,
    );
    writeFileSync(file, `E-Mail;Name\r\n${rows.join('\r\n')}\r\nwrong;Nobody\r\n`);
    const page = await open(width);
    const complaints = complaintsOf(page);
    await follow(page, 'Candidates');
    await follow(page, 'Invite candidates');
    await follow(page, 'Many people (CSV)');
    const input = await page.$('input[type=file]');
    await (input as unknown as { uploadFile: (file: string) => Promise<void> }).uploadFile(file);
    await page.select('#interview_id', interview);
    await follow(page, 'Check the list');
    expect(await textOf(page)).toContain('20 people will be invited. 1 person will not.');
    expect(await enrolmentsOf(platform.database, interview)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    await follow(page, 'Invite 20 people');
    expect(await textOf(page)).toContain('20 people invited');
    expect((await enrolmentsOf(platform.database, interview)).map(({ name }) => name)).toContain(
      'Ann "7" Lee',
    );
    for (const address of ['candidates', 'mails', 'candidates/invite', 'search?q=example']) {
      await page.goto(`${platform.stack.console_url}/${address}`);
      expect([address, await page.evaluate('document.documentElement.scrollWidth > innerWidth')]).toEqual([
        address,
        false,
      ]);
    }
    expect(complaints).toEqual([]);
  });

  it('find a person with the key / from any page, and leave the key to whoever types', async () => {
    const page = await open(1280);
    await page.goto(`${platform.stack.console_url}/candidates`);
    await page.focus('#filter_text');
    await page.keyboard.type('a/b');
    expect([
      await isFocused(page),
      await page.$eval('#filter_text', (field) => (field as { value?: string }).value),
    ]).toEqual([false, 'a/b']);
    await page.focus('main');
    await page.keyboard.press('/');
    expect(await isFocused(page)).toBe(true);
    const [person] = await platform.database.rows<{ profile_id: string; email: string }>(
      `select profile_id, email from enrolment where environment = 'production' and merchant_id = $1 order by id limit 1`,
      [platform.stack.merchant_id],
    );
    await page.keyboard.type(person?.email ?? '');
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    expect(page.url()).toBe(`${platform.stack.console_url}/candidates/${person?.profile_id}`);
  });
});
