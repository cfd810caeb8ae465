import type { Page } from 'puppeteer-core';
import { people } from '../../../local/seed/accounts';
import type { PersonKey } from '../../../local/seed/accounts';
import { consoleLink } from '../../harness/identity/console';
import { complaintsOf, sharedBrowser } from '../../harness/platform/browser';
import type { TestBrowser } from '../../harness/platform/browser';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let browser: TestBrowser;
beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform({ worker: false }), sharedBrowser()]);
});

const maxClicks = 8;
/** Signs a person in. The returned function clicks what has these words, and checks the page that follows. */
async function enter(person: PersonKey, width: number) {
  const page = await browser.open({ width });
  const complaints = complaintsOf(page);
  await page.goto(await consoleLink(platform, person));
  let clicks = 0;
  const click = async (words: string) => {
    clicks += 1;
    const named = `normalize-space()=${JSON.stringify(words)} or @aria-label=${JSON.stringify(words)}`;
    await Promise.all([
      page.waitForNavigation(),
      page.locator(`::-p-xpath((//a | //button)[${named}])`).click(),
    ]);
    expect([page.url(), await isTooWide(page)]).toEqual([page.url(), false]);
  };
  await click('Sign in');
  clicks = 0;
  return {
    page,
    click,
    /** Checks that the task took few clicks and that the browser has logged nothing. */
    done: () => expect([clicks <= maxClicks, complaints]).toEqual([true, []]),
  };
}
const isTooWide = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth');
const shown = (page: Page) =>
  page.$eval('main', (main) => (main as unknown as { innerText: string }).innerText);

describe.each([1280, 360])('in a window of %s pixels, a person', (width) => {
  it('adds credits to a merchant', async () => {
    const { page, click, done } = await enter('admin', width);
    await click('Plan and credits: Contoso Retail');
    await page.select('[name=bucket]', 'extra');
    await page.type('[name=amount]', '12.5');
    await page.type('[name=reason]', `Invoice of ${width}`);
    await click('Add credits');
    expect(await shown(page)).toMatch(/Credits added. The balance is [\d.]+/);
    await click('Credits and ledger');
    expect(await shown(page)).toContain(`Invoice of ${width}`);
    done();
  });

  it('sees who decided what', async () => {
    const { status } = await platform.call('job-interview-result-update', {
      token: platform.stack.tokens.merchant,
      body: {
        interview_result_id: platform.stack.ids.submitted_result,
        recruiter_go_next_round: width > 1_000,
      },
    });
    expect(status).toBe(200);
    const { page, click, done } = await enter('merchant_owner', width);
    await click('Settings');
    await click('Audit');
    await page.select('[name=action]', 'job-interview-result-update');
    await page.select('[name=actor]', people.merchant.id);
    await click('Apply');
    const first = await page.$eval('tbody tr', (row) => row.textContent);
    expect(first).toContain(people.merchant.name);
    expect(first).toContain(width > 1_000 ? 'Advanced a result' : 'Rejected a result');
    done();
  });

  it('reads what an attempt cost, and opens its result', async () => {
    const result = platform.stack.ids.submitted_result;
    await platform.database.rows(`delete from credit_entry where result_id = $1 and kind = 'charge'`, [
      result,
    ]);
    await platform.database.rows(`select app.post_credits($1, 'extra', 'charge', -2.5, $2, 1)`, [
      platform.stack.merchant_id,
      result,
    ]);
    const { page, click, done } = await enter('merchant_owner', width);
    await click('Settings');
    await click('Usage');
    expect(await shown(page)).toContain('−2.5');
    await click('Attempt charged');
    expect(page.url()).toContain(`/results/${result}`);
    done();
  });
});
