import type { Page } from 'puppeteer-core';
import { readAssessment, readSessionCriteria } from '../../../db/results/assessment';
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
    for (const name of names) {
      const page = await open(name, 360);
      // Elements that are wider than the window are clipped or scroll.
      const wide = await page.evaluate(
        `[...document.querySelectorAll('.badge, td, summary, input, mark')].filter((each) =>
          each.getBoundingClientRect().right > innerWidth).map((each) => each.textContent)`,
      );
      expect(wide).toEqual([]);
    }
  });
});

describe('the seeded attempts', () => {
  it('have assessments, scores of a person, an answer with too little evidence and instructions', async () => {
    const parts = await platform.database.rows<{
      name: string;
      raw: unknown;
      analyses: unknown;
      score: number | null;
    }>(
      `select e.name, q.answer_assessment_raw_data as raw, r.ai_analysis_other as analyses, q.score::float8 as score
       from interview_result r join enrolment e on e.id = r.enrolment_id
       join result_question q on q.result_id = r.id and q.is_answer
       where r.id = any ($1) order by e.name, q.step_order`,
      [names.map(scoredResultId)],
    );
    expect(parts).toHaveLength(11);
    const assessed = parts.map(({ name, raw }) => ({ name, ...readAssessment(raw) }));
    const quoted = assessed.filter(({ criteria }) =>
      criteria?.some(({ met, start }) => met === 'yes' && start !== null),
    );
    expect(quoted.length).toBeGreaterThan(6);
    expect(assessed.filter(({ reason }) => reason === 'too_little_said')).toMatchObject([
      { name: 'Tomás Rivera' },
    ]);
    expect(assessed.filter(({ instructs }) => instructs)).toMatchObject([{ name: 'Aisha Rahman' }]);
    expect(parts.find(({ name }) => name === 'Mara Lindqvist')).toBeDefined();
    expect(readSessionCriteria(parts.find(({ name }) => name === 'Mara Lindqvist')?.analyses)).toHaveLength(
      5,
    );
    expect(parts.filter(({ name, score }) => name === 'Tomás Rivera' && score === 3.5)).toHaveLength(1);
  });
});
