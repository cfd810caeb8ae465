import type { Page } from 'puppeteer-core';
import { currentConsentVersion } from '../../../api/taking/consent-version';
import { platformTemplateIds } from '../../../local/seed/templates';
import { sharedBrowser } from '../../harness/platform/browser';
import type { TestBrowser } from '../../harness/platform/browser';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls } from '../../harness/taking/candidate';
import { press, question, textOf } from '../../harness/taking/candidate-page';

let platform: Platform;
let browser: TestBrowser;
let calls: ReturnType<typeof candidateCalls>;
beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform({ worker: true }), sharedBrowser()]);
  calls = candidateCalls(platform);
});

const questions = [
  { question: 'What did you build?', label: 'Craft' },
  { question: 'Which database?', is_multiple_choice: true, question_alternatives: ['Postgres', 'Another'] },
  { question: 'What went wrong?' },
];
/** Makes an interview with typed answers and registers a candidate. Returns the ids and the link. */
const makeLink = async (more: Record<string, unknown> = {}) => {
  const interviewId = await calls.makeInterview(questions, {
    name: 'Backend engineer',
    interview_template_id: platformTemplateIds.offline_avatar_3,
    recording: null,
    recording_full_session: null,
    candidate_video_introduction: 'hidden',
    result_view: 'advanced',
    result_enable_edit_transcript: true,
    ...more,
  });
  return calls.register(interviewId);
};
const openPage = async (width = 1280): Promise<Page> => {
  const page = await browser.open({ width });
  await page.setJavaScriptEnabled(false);
  return page;
};
/** Opens the link, gives consent, begins the interview and leaves the welcome step. */
const begin = async (page: Page, url: string): Promise<void> => {
  await page.goto(url);
  await page.click('[name=consent]');
  await press(page, 'form[action*=begin] button');
  await press(page, 'form button');
};
const answer = async (page: Page, text: string): Promise<void> => {
  await page.type('textarea', text);
  await press(page, 'form button');
};
const choose = async (page: Page, choice: string): Promise<void> => {
  await page.click(`[value="${choice}"]`);
  await press(page, 'form button');
};
const rowOf = async (interviewId: string) =>
  (
    await platform.database.rows(
      `select id, status, interview_status, consent_version, consent_language from interview_result
       where interview_id = $1`,
      [interviewId],
    )
  )[0];

describe('a candidate’s pages without scripts', () => {
  it('lead from the link to the submitted answers', async () => {
    const { url, interviewId: id } = await makeLink();
    const page = await openPage();
    await page.goto(`${url}&view_hm=true`);
    expect(page.url()).toBe(`${platform.stack.portal_url}/interview/take/${id}/?view_hm=true`);
    expect(await page.cookies()).toMatchObject([
      { name: `interview-${id}`, httpOnly: true, sameSite: 'Lax' },
    ]);
    expect(await textOf(page, '#job dl')).toMatch(/Company.*Location/);
    expect(await textOf(page, '#app > dl')).toMatch(/20 minutes.*Questions3.*Your written answers.*Craft/s);

    await press(page, 'form[action*=begin] button');
    expect(await textOf(page, '#problem')).toBe('Tick the box to agree before you begin.');
    expect(await page.$eval(':focus', (box) => box.getAttribute('aria-describedby'))).toBe('problem');
    await page.click('[name=consent]');
    await press(page, 'form[action*=begin] button');
    await press(page, 'form button');

    expect([await page.title(), await question(page)]).toEqual([
      'Question 1 of 3 – Backend engineer',
      'What did you build?',
    ]);
    expect(await page.$eval(':focus', (heading) => heading.tagName)).toBe('H1');
    await press(page, 'form button');
    expect(await textOf(page, '#problem')).toBe('Write an answer.');
    await answer(page, 'A bridge,\nand a <b>road</b>.');
    await press(page, 'form button');
    expect(await textOf(page, '#problem')).toBe('Choose one of the answers.');
    await choose(page, 'Postgres');
    await answer(page, 'Nothing.');

    expect(await question(page)).toBe('Review your answers');
    // Neither button loses a change: one saves the changes of all answers, the other one submits them.
    await page.type('textarea', 'Mostly: ');
    await page.type('li:last-child textarea', 'Almost ');
    await press(page, 'ol button');
    expect(await textOf(page, '[role=status]')).toBe('Your change is saved.');
    await page.type('textarea', 'Now ');
    await press(page, 'form[action*=submit] button');
    expect(await question(page)).toBe('Thank you');
    await page.reload();
    expect(await question(page)).toBe('Thank you');

    const row = await rowOf(id);
    expect(row).toMatchObject({
      status: 'active',
      interview_status: 'completed',
      consent_version: currentConsentVersion,
      consent_language: 'en',
    });
    const answers = await platform.database.rows<{ answer: string; answer_original: string | null }>(
      'select answer, answer_original from result_question where result_id = $1 and is_answer order by step_order',
      [row?.['id']],
    );
    const original = 'A bridge,\nand a <b>road</b>.';
    expect(answers).toEqual([
      { answer: `Now Mostly: ${original}`, answer_original: original },
      { answer: 'Postgres', answer_original: null },
      { answer: 'Almost Nothing.', answer_original: 'Nothing.' },
    ]);
  });

  it('end early after one answer and one question, and keep what was entered until then', async () => {
    const { url, interviewId: id } = await makeLink();
    const page = await openPage();
    await begin(page, url);
    await press(page, '.quiet button');
    await press(page, 'form button');
    expect(await textOf(page, '[role=alert]')).toBe('Answer at least one question before you finish.');
    await press(page, 'a.button');
    await page.type('textarea', 'A bridge,\nand a road.');
    await press(page, '.quiet button');
    expect(await textOf(page, '.note')).toBe('Your answer to the current question will be sent too.');
    await press(page, '[name=back]');
    expect(await page.$eval('textarea', (field) => field.value)).toBe('A bridge,\nand a road.');
    await press(page, 'form button');
    await page.click('[value="Postgres"]');
    await press(page, '.quiet button');
    await press(page, '[name=back]');
    expect(await page.$eval(':checked', (box) => box.getAttribute('value'))).toBe('Postgres');
    await press(page, '.quiet button');
    await press(page, 'form button');
    expect(await question(page)).toBe('Review your answers');
    const row = await rowOf(id);
    expect(row).toMatchObject({ interview_status: 'completed, stopped early' });
    const answers = await platform.database.rows(
      'select answer from result_question where result_id = $1 and answer is not null order by step_order',
      [row?.['id']],
    );
    expect(answers).toEqual([{ answer: 'A bridge,\nand a road.' }, { answer: 'Postgres' }]);
  });

  it('are in the language of the interview and fit on a phone, from right to left', async () => {
    const page = await openPage(360);
    await page.goto((await makeLink({ platform_language_code: 'ar' })).url);
    const fits = async () => {
      const sideways = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(`[document.documentElement.lang, document.dir, ${sideways}]`)).toEqual([
        'ar',
        'rtl',
        0,
      ]);
    };
    await fits();
    await page.click('[name=consent]');
    await press(page, 'form[action*=begin] button');
    await press(page, 'form button');
    await fits();
    expect([await textOf(page, '.progress p'), await textOf(page, 'form button')]).toEqual([
      'السؤال 1 من 3',
      'إرسال الإجابة',
    ]);
    await answer(page, 'w'.repeat(300));
    await choose(page, 'Postgres');
    await answer(page, 'Nothing.');
    await fits();
    await press(page, 'form[action*=submit] button');
    await fits();
    expect(await question(page)).toBe('شكرًا لكم');
  });
});
