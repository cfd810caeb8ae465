import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'puppeteer-core';
import { people } from '../../../local/seed/accounts';
import type { PersonKey } from '../../../local/seed/accounts';
import { scoredResultId } from '../../../local/seed/scored-answers';
import { seedScoredResults } from '../../../local/seed/scored-results';
import { atEnd } from '../../harness/at-end';
import { consoleLink } from '../../harness/identity/console';
import { cloneInterview, cloneWithSteps, peopleCalls } from '../../harness/people/people';
import { complaintsOf, sharedBrowser } from '../../harness/platform/browser';
import type { TestBrowser } from '../../harness/platform/browser';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { waitFor } from '../../harness/wait-for';

/*
 * Ten tasks that a merchant's team often has. Each is done from the home page, with a mouse and a keyboard, by someone who
 * finds things by the words on the page. No task needs more than eight clicks, and every page fits a wide and a narrow window.
 */

let platform: Platform;
let browser: TestBrowser;
let interview: string;
beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform({ worker: true }), sharedBrowser()]);
  await seedScoredResults(platform.database.adminUrl);
  interview = await cloneWithSteps(platform.database, { name: 'Beekeeper', created_at: new Date() });
});

/** Writes a CSV file with the addresses of this many people, and returns its path. */
function writeFile(place: string, count: number): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'people-')), 'people.csv');
  atEnd(() => rmSync(path.dirname(file), { recursive: true }));
  const rows = Array.from({ length: count }, (_, at) => `${place}.${at + 1}@example.com,Person ${at + 1}`);
  writeFileSync(file, ['email,name', ...rows].join('\n'));
  return file;
}

type Widget = 'link' | 'button' | 'textbox' | 'searchbox' | 'combobox' | 'checkbox';
type Person = ReturnType<typeof personAt>;

/** Returns a person who uses the page in a window of this width. Each click counts; keys do not. */
function personAt(page: Page, width: number) {
  let clicks = 0;
  const click = async (widget: Widget, name: string) => {
    clicks++;
    await page.locator(`::-p-aria([name="${name}"][role="${widget}"])`).click();
  };
  /** Checks that the page fits a wide and a narrow window. The task goes on in the narrow one or the wide one. */
  const checkWidth = async () => {
    for (const each of width === 360 ? [1280, 360] : [360, 1280]) {
      await page.setViewport({ width: each, height: 800 });
      const sticksOut = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      expect([page.url(), each, sticksOut]).toEqual([page.url(), each, false]);
    }
  };
  return {
    clicks: () => clicks,
    /** Clicks what opens another page. */
    go: async (widget: 'link' | 'button', name: string) => {
      await Promise.all([page.waitForNavigation(), click(widget, name)]);
      await checkWidth();
    },
    click,
    /** Types the text at the end of a field. */
    type: async (field: string, text: string) => {
      await click('textbox', field);
      await page.keyboard.down('Control');
      await page.keyboard.press('End');
      await page.keyboard.up('Control');
      await page.keyboard.type(text);
    },
    /** Searches with the box of every page. Enter counts as a click. */
    search: async (text: string) => {
      await click('searchbox', 'Search');
      await page.keyboard.type(text);
      clicks++;
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      await checkWidth();
    },
    /** Chooses a file, as the window of the system does that a click on the field opens. */
    attach: async (field: string, file: string) => {
      clicks++;
      const [window] = await Promise.all([
        page.waitForFileChooser(),
        page.locator(`label::-p-text(${field})`).click(),
      ]);
      await window.accept([file]);
    },
    choose: async (field: string, option: string) => {
      await click('combobox', field);
      // The list of options is a window of the system, so the option is chosen with the keys.
      await page.keyboard.type(option);
      await page.keyboard.press('Enter');
    },
    /** Waits until the page shows these words. */
    sees: async (words: string) => {
      await page.locator(`::-p-text(${words})`).wait();
      await checkWidth();
    },
    valueOf: (field: string) =>
      page.$eval(`::-p-aria([name="${field}"][role="textbox"])`, (input) => input.getAttribute('value')),
    /** Returns the text of the first table row that contains these words. */
    row: (words: string) =>
      page.evaluate(
        `[...document.querySelectorAll('tbody tr')].find((row) => row.textContent.includes(${JSON.stringify(words)}))?.innerText`,
      ),
  };
}

/** Lets someone do a task. The window is wide for one task and narrow for the next. */
let tasks = 0;
async function does(who: PersonKey, task: (person: Person) => Promise<void>) {
  const page = await browser.open();
  const complaints = complaintsOf(page);
  await page.goto(await consoleLink(platform, who));
  await Promise.all([page.waitForNavigation(), page.click('main button')]);
  const width = (tasks += 1) % 2 ? 1280 : 360;
  await page.setViewport({ width, height: 800 });
  const person = personAt(page, width);
  await task(person);
  expect(person.clicks()).toBeLessThanOrEqual(8);
  expect(complaints).toEqual([]);
}

describe('in at most eight clicks, somebody', () => {
  it('adds credits', () =>
    does('admin', async ({ go, type, choose, sees, row }) => {
      await go('link', 'Plan and credits: Northwind Talent');
      await choose('Bucket', 'Extra');
      await type('Credits', '12.5');
      await type('Reason', 'Invoice 7');
      await go('button', 'Add credits');
      await sees('Credits added. The balance is 43.');
      await go('link', 'Credits and ledger');
      expect(await row('Invoice 7')).toMatch(/\+12.5\s.*43/s);
    }));

  it('creates an interview and shares it', () =>
    does('merchant', async ({ go, click, type, sees, valueOf }) => {
      await go('link', 'Interviews');
      await go('link', 'New interview');
      await type('Name', 'Night baker');
      await type('Location', 'Ghent');
      await click('button', 'Create interview');
      await sees('Interview created.');
      await type('Candidate’s email', 'ann@example.com');
      await go('button', 'Create link');
      expect(await valueOf('Link of ann@example.com')).toContain('interview_token=');
    }));

  it('builds a position', () =>
    does('merchant', async ({ go, click, type, sees }) => {
      const steps = ['Screening', 'Case study'];
      for (const name of steps) await cloneInterview(platform.database, { name, created_at: new Date() });
      await go('link', 'Interviews');
      await go('link', 'Positions');
      await go('link', 'New position');
      await type('Name', 'Head of the bakery');
      await type('Location', 'Ghent');
      for (const name of steps) await click('checkbox', name);
      await go('button', 'Create position');
      await sees('Position created.');
      for (const name of steps) await sees(name);
    }));

  it('changes a question', async () => {
    const query = { position_id: interview };
    const { body } = await platform.call('job-interview-get', { query });
    const [{ question } = { question: '' }] = body['questions'] as { question: string }[];
    await does('merchant', async ({ go, type, sees }) => {
      await go('link', 'Interviews');
      await go('link', 'Beekeeper');
      await go('link', question);
      await type('Question', ' Why?');
      await go('button', 'Save changes');
      await sees('Question saved.');
      await sees(`${question} Why?`);
    });
  });

  it('invites 20 people by CSV', () =>
    does('merchant', async ({ go, attach, choose, sees, row }) => {
      await go('link', 'Candidates');
      await go('link', 'Invite candidates');
      await go('link', 'Many people (CSV)');
      await attach('CSV file', writeFile('many', 20));
      await choose('Interview or position', 'Beekeeper');
      await go('button', 'Check the list');
      await sees('20 people will be invited.');
      await go('button', 'Invite 20 people');
      await sees('20 people invited');
      expect(await row('many.20@example.com')).toContain('Invited');
    }));

  it('finds out why somebody got no mail', async () => {
    await peopleCalls(platform).invite([
      { email: 'bounce.mail@example.com', name: 'Bo Wrong', type: 'candidate', interview_id: interview },
    ]);
    await does('merchant', async ({ go, sees, row }) => {
      await go('link', 'Candidates');
      await go('link', 'Mails');
      await sees('there is no such mailbox');
      expect(await row('Bo Wrong')).toContain('Bounced');
    });
  });

  it('finds a person by email', async () => {
    await peopleCalls(platform).invite([
      { email: 'fay.found@example.com', name: 'Fay Found', type: 'candidate', interview_id: interview },
    ]);
    await does('merchant', async ({ search, sees }) => {
      await search('fay.found@example.com');
      await sees('Added to the interview');
    });
  });

  it('sees who decided what', () =>
    does('merchant_owner', async ({ go, choose, row }) => {
      await go('link', 'Settings');
      await go('link', 'Audit');
      await choose('Person', people.merchant.name);
      await go('button', 'Apply');
      expect(await row('Mara Lindqvist')).toContain('Advanced the result of Mara Lindqvist');
      await go('link', 'the result of Mara Lindqvist');
      expect(await row('Advanced the candidate')).toContain(people.merchant.name);
    }));

  it('reads what an attempt cost', () =>
    does('merchant_owner', async ({ go, sees }) => {
      await go('link', 'Mara Lindqvist');
      await sees('credits');
    }));

  it('withdraws the access of a colleague', () =>
    does('merchant_owner', async ({ go, click, sees, row }) => {
      const { name } = people.merchant_selection;
      await go('link', 'Team');
      await click('button', `Remove: ${name}`);
      await go('button', 'Remove');
      await sees('Person removed from the team.');
      expect(await row(name)).toBeUndefined();
    }));
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

/*
 * These tests are in this file because they use the same seeded results. Their ids are fixed, and Temporal starts the scoring
 * of an id only once for all test files.
 */
describe('the page of a scored result in a browser', () => {
  beforeAll(() =>
    waitFor('the scores of the seeded attempts', async () => {
      const open = await platform.database.rows(
        `select r.id from score_record s join interview_result r on r.id = s.result_id
         where s.state in ('queued', 'running') and r.id = any ($1)`,
        [names.map(scoredResultId)],
      );
      return open.length === 0;
    }),
  );

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
