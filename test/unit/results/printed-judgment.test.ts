import type { PdfOptions } from '../../../activities/results/result-to-print';
import { readPdf } from '../../harness/platform/read-pdf';
import { compileResult, printed, questionsOf, turn } from './result-pdf.fixture';

describe('a score that a person set', () => {
  const eva = { by: 'Eva Roe', at: '2026-11-24T12:00:00Z' };
  const decisions = [{ ...eva, question_id: null, score_ai: 8.2, reason: 'Spoke with the referee.' }];

  it('is shown with who set it, when and why, and with the score of the AI', () => {
    const { score, notes, check } = printed({ score: 3.5, decisions });
    expect(score).toMatchObject({ value: '3.5', meaning: null });
    expect(score?.facts.map(({ value }) => value)).toEqual([
      'Eva Roe',
      'November 24, 2026 at 1:00 PM',
      'Spoke with the referee.',
      '8.2 / 10',
    ]);
    expect(notes.join(' ')).toMatch(/A person set this score.*those of an AI/);
    expect(notes.join(' ')).not.toContain('An AI compared the answers');
    expect([check, printed().check]).toEqual([null, 'A person should check this score.']);
  });

  it('of an answer is shown next to the score of the AI, which keeps its bar', () => {
    const answer = turn({ score: 2 });
    const mine = { ...eva, question_id: answer.id, score_ai: 4.2, reason: 'Heard the recording.' };
    const result = { transcript: [answer], decisions: [mine] };
    expect(questionsOf('Scoring rubric', result)).toMatchObject([
      { score: { value: '4.2 / 5' }, person: { value: '2 / 5', name: 'Eva Roe' } },
    ]);
    const { analytics } = Object.fromEntries(printed(result).sections.map((each) => [each.kind, each]));
    expect(analytics).toMatchObject({ bars: [{ score: { value: '4.2 / 5' }, person: { value: '2 / 5' } }] });
  });

  it('stands with the decision, the shortlist and the note, each with who and when', () => {
    const decided = {
      recruiter_go_next_round: false,
      recruiter_shortlist: true,
      user_feedback_recruiter: 'Call again in spring.',
      acts: { recruiter_go_next_round: eva, recruiter_shortlist: { ...eva, by: null } },
    };
    const by = { name: 'Eva Roe', time: 'November 24, 2026 at 1:00 PM' };
    expect(printed(decided).sections).toContainEqual({
      kind: 'decision',
      title: 'Decision',
      decision: {
        acts: [
          { label: 'Rejected', bracket: 'weak', by },
          { label: 'Shortlisted', bracket: 'moderate', by: { ...by, name: 'Someone outside the team' } },
        ],
        note: { by: null, paragraphs: ['Call again in spring.'] },
      },
    });
    const pages = readPdf(compileResult(printed({ ...decided, score: 3.5, decisions })).pdf);
    for (const words of ['Eva Roe', 'Spoke with the referee.', 'AI score 8.2 / 10', 'Rejected', 'Call again'])
      expect(pages[0]).toContain(words);
  });
});

describe('the analytics', () => {
  it('have every part of the score with its share', () => {
    const score_parts = [
      { part: 'answers', score: 8, weight: 0.4 },
      { part: 'session', score: 6.5, weight: 0.35 },
      { part: 'pronunciation', score: 8.8, weight: 0.25 },
    ];
    const { analytics } = Object.fromEntries(
      printed({ ai_analysis_other: { score_parts } }).sections.map((each) => [each.kind, each]),
    );
    expect(analytics).toMatchObject({
      metrics: expect.arrayContaining([
        { label: 'AI score of all answers together · 35% of the score', value: '6.5 / 10', share: 0.65 },
      ]),
    });
    expect(JSON.stringify(analytics).match(/of the score/g)).toHaveLength(score_parts.length);
  });
});

describe('an attempt that ended early', () => {
  it.each([
    [null, 'Ended early'],
    ['enough', 'Ended early: the answers were enough'],
    ['empty', 'Ended early: three empty answers in a row'],
  ] as const)('says why: %s', (stopped_because, value) => {
    const { facts } = printed({ ai_completion_reason: 'stopped_early', stopped_because });
    expect(facts.map((fact) => fact.value)).toContain(value);
  });
});

describe('an answer without a score', () => {
  it.each([
    ['too_little_said', 'Not enough evidence'],
    ['malformed', 'Not assessed by the AI'],
    ['unavailable_transcript', 'No transcript'],
    ['no_answer', 'No answer'],
    ['no_rubric', 'No rubric'],
  ])('is listed with the reason: %s', (reason, missing) => {
    const unscored = turn({
      score: null,
      score_answer_ai: null,
      answer_assessment_raw_data: { status: 'insufficient_evidence', reason, criteria: [] },
    });
    const result = { transcript: [turn(), unscored] };
    const { analytics } = Object.fromEntries(printed(result).sections.map((each) => [each.kind, each]));
    const listed = [
      { label: 'Question 1', missing: null },
      { label: 'Question 2', missing, score: null },
    ];
    expect(analytics).toMatchObject({ bars: listed });
    expect(questionsOf('Scoring rubric', result)).toMatchObject(listed);
  });
});

describe('the lines of a role-play', () => {
  it('name their speaker, and a reaction to the opening line belongs to it', () => {
    const line = { speaker: 'Grace\nOkafor', question_original_id: null, question_original: 'Hello.' };
    const transcript = [turn(line), turn(line), turn({ speaker: 'Grace Okafor' })];
    expect(questionsOf('Scoring rubric', { transcript }).map(({ label }) => label)).toEqual([
      'Question 1 · Grace Okafor',
      'Follow-up question · Grace Okafor',
      'Question 2 · Grace Okafor',
    ]);
  });
});

describe('the pages of a PDF', () => {
  const criteria = Array.from({ length: 6 }, (_, at) => ({
    bracket: at === 5 ? 'weak' : 'strong',
    text: `Criterion ${at + 1} ${'of some length '.repeat(8)}`,
    met: 'yes',
    quote: `quote ${at + 1} ${'of some length '.repeat(8)}`,
  }));

  it('keep a criterion with its quote, and a heading with two criteria, and name candidate and interview', () => {
    const transcript = Array.from({ length: 12 }, () =>
      turn({ answer_assessment_raw_data: { status: 'scored', criteria } }),
    );
    const pages = readPdf(compileResult(printed({ transcript }, { transcript: false })).pdf);
    expect(pages.length).toBeGreaterThan(4);
    for (const page of pages) {
      expect(page).toContain('Ann Lind · Backend engineer · Acme');
      const found = (words: RegExp) => Array.from(page.matchAll(words), ([, number]) => Number(number));
      expect(found(/quote (\d)/g)).toEqual(found(/Criterion (\d)/g));
      expect(page.match(/Question \d+\n[^\d]*slow\?/g)?.length ?? 0).toBe(
        found(/Criterion (\d)/g).filter((number) => number === 2).length,
      );
    }
  });

  it('say of a weak item that it applies, not that it is met, and what that means', () => {
    const result = { transcript: [turn({ answer_assessment_raw_data: { criteria } })] };
    expect(questionsOf('Scoring rubric', result)[0]?.criteria.map(({ met_label }) => met_label)).toEqual([
      ...Array<string>(5).fill('Met'),
      'Applies',
    ]);
    const legends = (options: Partial<PdfOptions>) =>
      printed(result, options).sections.flatMap((section) =>
        section.kind === 'questions' && section.legend !== null ? [section.legend] : [],
      );
    expect(legends({ ai_scoring_rubric: false })).toEqual([]);
    expect(legends({})).toEqual([expect.stringContaining('A weak item describes a poor answer')]);
  });

  it('name the questions that a person should check', () => {
    const raw = { status: 'scored', needs_review: true, criteria: [] };
    const [assessment] = printed({
      transcript: [turn(), turn({ answer_assessment_raw_data: raw })],
    }).sections.flatMap((section) => (section.kind === 'assessment' ? [section.assessment] : []));
    expect(assessment?.risks).toEqual([expect.stringContaining('(Question 2)')]);
  });

  it.each([
    ['ar', 'الأسئلة التي لها درجة', 'شركة الشمال لا إلى الإصدارين معايير البناء'],
    ['ar', 'Latin', 'efficient office 10 / 20'],
    ['en', 'Emoji', 'Great 🎉 and 👍'],
  ] as const)('can be searched: %s, %s', (language, _, answer) => {
    const pages = readPdf(compileResult(printed({ transcript: [turn({ answer })] }, {}, language)).pdf);
    for (const word of answer.split(' ')) expect(pages.join(' ')).toContain(word);
  });
});
