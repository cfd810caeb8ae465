import type { Page } from 'puppeteer-core';
import { scoredResultId } from '../../../local/seed/scored-answers';
import { seedScoredResults } from '../../../local/seed/scored-results';
import { consoleLink } from '../../harness/identity/console';
import { complaintsOf, sharedBrowser } from '../../harness/platform/browser';
import type { TestBrowser } from '../../harness/platform/browser';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
let browser: TestBrowser;
/** Scores the seeded attempts with the worker of the test. */
beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform({ worker: true }), sharedBrowser()]);
  await seedScoredResults(platform.database.adminUrl);
  await waitFor('the scores of the seeded attempts', async () => {
    const open = await platform.database.rows(
      `select r.id from score_record s join interview_result r on r.id = s.result_id
       where s.state in ('queued', 'running') and r.id = any ($1)`,
      [names.map(scoredResultId)],
    );
    return open.length === 0;
  });
});

const names = ['Mara Lindqvist', 'Tomás Rivera', 'Aisha Rahman', 'Lena Learner'];
const open = async (name: string, width = 1280): Promise<Page> => {
  const page = await browser.open({ width });
  await page.goto(await consoleLink(platform, 'merchant_owner'));
  await page.waitForFunction(`document.activeElement.textContent === 'Sign in'`);
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  await page.goto(`${platform.stack.console_url}/results/${scoredResultId(name)}`);
  return page;
};
/** Clicks the first link that matches. Returns the id of the element to which the URL's fragment then points. */
const follow = async (page: Page, selector: string): Promise<string> => {
  await page.click(selector);
  return page.evaluate(`document.querySelector(':target')?.id ?? ''`) as Promise<string>;
};

describe('the page of a scored result in a browser', () => {
  it('leads from each number to a highlighted sentence in two clicks', async () => {
    const page = await open('Mara Lindqvist');
    const complaints = complaintsOf(page);
    // The demo's answers have recordings, so that the page shows its player.
    expect(await page.$$('main audio')).not.toEqual([]);
    const starts = [
      ['.score a', '#session-criteria'],
      ['#answer-scores tbody tr:nth-child(1) td:nth-child(2) a', '#part-'],
    ] as const;
    for (const [number, section] of starts) {
      const reached = await follow(page, number);
      expect(`#${reached}`.startsWith(section)).toBe(true);
      const passage = await follow(page, `#${reached} .quote a`);
      const marked = await page.evaluate(
        `document.querySelector('.evidence:has(:target)')?.textContent ?? ''`,
      );
      expect([passage, String(marked).length > 10]).toEqual([expect.stringMatching(/^passage-/), true]);
      const outline = await page.evaluate(
        `getComputedStyle(document.querySelector('.evidence:has(:target)')).outlineStyle`,
      );
      expect(outline).toBe('solid');
    }
    expect(complaints).toEqual([]);
  });

  it('fits a narrow window', async () => {
    const page = await open(names[0] ?? '', 360);
    for (const name of names) {
      await page.goto(`${platform.stack.console_url}/results/${scoredResultId(name)}`);
      // Elements that are wider than the window are clipped or scroll.
      const wide = await page.evaluate(
        `[...document.querySelectorAll('.badge, td, summary, input, mark')].filter((each) =>
          each.getBoundingClientRect().right > innerWidth).map((each) => each.textContent)`,
      );
      expect(wide).toEqual([]);
    }
  });
});
