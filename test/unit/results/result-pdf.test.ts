import { allowLineBreaks, toPdfText } from '../../../activities/platform/pdf-text';
import { languageTexts } from '../../../api/platform/text/language-texts';
import type { LanguageCode } from '../../../db/platform/vocabulary';
import { markEvidence, readAssessment } from '../../../db/results/assessment';
import { compileResult, pageUrl, printed, questionsOf, session, turn } from './result-pdf.fixture';

const kinds = (...args: Parameters<typeof printed>) => printed(...args).sections.map(({ kind }) => kind);
/** English, Brazilian Portuguese (whose code is not a language tag), and one language of each other script. */
const oneOfEachScript: LanguageCode[] = ['en', 'br', 'ar', 'el', 'hi', 'ja', 'ko', 'ru', 'ta', 'th', 'zh'];
const none = {
  contact_details: false,
  ai_recruiter_assessment: false,
  ai_scoring_rubric: false,
  analytics: false,
  files: false,
  transcript: false,
  answer_recording: false,
  session_recording: false,
};

describe('the PDF of a result', () => {
  // pdf-fonts.test.ts tests the letters of all languages.
  it.each(oneOfEachScript)('has a title, a language and a glyph for each of its letters: %s', (code) => {
    const { pdf, headings } = compileResult(printed({}, {}, code), { standard: 'ua-1' });
    const text = pdf.toString('latin1');
    expect(text).toMatch(/^%PDF/);
    expect(text).toContain(`/Lang (${code === 'br' ? 'pt-BR' : code})`);
    expect(text).toMatch(/\/StructTreeRoot/);
    expect(headings).toContain(languageTexts[code].pdf.analytics);
  });

  it('is found to lack a letter for a script without a font', () => {
    const name = { candidate: { name: 'ᏣᎳᎩ', email: null, phone: null, external_id: null } };
    expect(() => compileResult(printed(name), { standard: 'ua-1' })).toThrow(/could not be displayed/);
  });

  it.each([
    ['contact_details', ['facts']],
    ['ai_recruiter_assessment', ['assessment', 'questions']],
    ['ai_scoring_rubric', ['questions']],
    ['analytics', ['analytics', 'questions']],
    ['files', ['questions', 'files']],
    ['transcript', ['questions', 'questions']],
    ['session_recording', ['questions', 'files']],
  ])('has with %s alone these sections besides the scores of the questions', (option, sections) => {
    const shown = kinds({}, { ...none, [option]: true });
    expect(new Set(shown)).toEqual(new Set(['questions', ...sections]));
  });

  it('groups answers and rubric by question, with follow-ups after their question', () => {
    const transcript = [
      turn({ question_original_id: 'a' }),
      turn({ question_original_id: 'b' }),
      turn({ question_original_id: 'a', question_asked: 'How exactly?' }),
    ];
    const sections = printed({ transcript }, { group_by_question: true }).sections;
    const questions = sections.flatMap((section) => (section.kind === 'questions' ? section.questions : []));
    expect(questions.map(({ label, is_follow_up }) => [label, is_follow_up])).toEqual([
      ['Question 1', false],
      ['Follow-up question', true],
      ['Question 2', false],
    ]);
    expect(questions.every(({ answer, criteria }) => answer !== null && criteria.length === 3)).toBe(true);
  });

  it.each([
    ['typed', 'Typed answer'],
    ['audio', 'Spoken answer'],
    ['video', 'Video answer'],
    ['choice', null],
    [null, null],
  ] as const)('says how an answer was given: %s', (answer_mode, label) => {
    const [question] = questionsOf('Transcript', { transcript: [turn({ answer_mode })] });
    expect(question?.answer?.mode).toBe(label);
  });

  it('marks an answer that is only what was heard in a live conversation', () => {
    const [question] = questionsOf('Transcript', { transcript: [turn({ answer_is_draft: true })] });
    expect(question?.answer?.mode).toBe(
      'Spoken answer · As heard in the conversation, not from the recording',
    );
  });

  it('links to recordings only with the option, and only to the page in the console that needs a sign-in', () => {
    const urls = (session_recording: boolean) =>
      printed({}, { session_recording }).sections.flatMap((section) =>
        section.kind === 'files' ? section.files.map(({ url }) => url) : [],
      );
    expect([urls(true), urls(false)]).toEqual([[pageUrl], [null]]);
    const transcript = [turn(), turn({ recording_local_path: session })];
    expect(questionsOf('Transcript', { transcript }).map(({ recording }) => recording?.url)).toEqual([
      undefined,
      `${pageUrl}#part-2`,
    ]);
    const signIn = 'Sign in to the console to open the recordings.';
    expect(printed().notes).toContain(signIn);
    expect(printed({}, { session_recording: false, answer_recording: false }).notes).not.toContain(signIn);
  });

  it('lists the résumé by its name under the files and its share of the score, and not in an anonymous document', () => {
    const ai_analysis_other = { score_parts: [{ part: 'resume', score: 6.9, weight: 0.2 }] };
    const shown = (options: Parameters<typeof printed>[1]) =>
      JSON.stringify(printed({ resume_name: 'ann lee.pdf', ai_analysis_other }, options).sections);
    expect(shown({})).toContain('{"label":"Résumé: ann lee.pdf","url":null}');
    expect(shown({})).toContain('{"label":"Résumé · 20% of the score","value":"6.9 / 10"');
    expect(shown({ anonymous: true })).not.toContain('ann lee.pdf');
    expect(shown({ files: false })).not.toContain('ann lee.pdf');
  });

  it('says that there is no score, and shows nothing that was not stored', () => {
    const empty = printed({
      score: null,
      candidate: null,
      score_answer: null,
      score_sentiment: null,
      score_words_per_minute: null,
      score_pronunciation: null,
      ai_interview_coverage_percentage: null,
      duration: null,
      submitted_at: null,
      ai_analysis_recruiter: null,
      ai_analysis_other: null,
      recruiter_risks: null,
      recording_local_path: null,
      transcript: [],
    });
    expect([empty.score, empty.sections, empty.notes]).toEqual([
      null,
      [],
      ['Test', 'This attempt has no score.'],
    ]);
    expect(compileResult(empty).pages).toBe(1);
  });
});

describe('a hostile text in the PDF of a result', () => {
  it.each([
    ['markup of Typst', '#read("/etc/passwd") *bold* $x$ <label> @ref `raw` \\ #panic()'],
    ['a string that ends', '") #panic("'],
    ['right-to-left marks', 'a\u202edlog\u2066b\u200fc'],
    ['control characters', 'a\u0000b\u001b[31mc\u0085d'],
    ['a lone surrogate', 'a\ud83d'],
    ['half of an emoji', `${'x'.repeat(199)}😀`],
    ['a very long word', 'W'.repeat(5_000)],
    ['many combining marks', `e${'\u0301'.repeat(2_000)}`],
    ['every separator', 'a\u2028b\u2029c\r\nd\te'],
  ])('is shown as it is and breaks nothing: %s', (_, hostile) => {
    const candidate = { name: hostile, email: hostile, phone: hostile, external_id: hostile };
    const quote = hostile.slice(0, 60);
    const raw = { criteria: [{ bracket: 'strong', text: hostile, met: 'yes', quote, start: 1, end: 40 }] };
    const transcript = [
      turn({
        question_asked: hostile,
        answer: hostile,
        ai_analysis_recruiter: hostile,
        answer_assessment_raw_data: raw,
      }),
    ];
    const analyses = {
      strengths_concerns: { strengths: [hostile], concerns: [hostile] },
      key_statement: { quote },
    };
    const shown = compileResult(
      printed({
        candidate,
        transcript,
        merchant_name: hostile,
        interview_name: hostile,
        ai_analysis_recruiter: hostile,
        ai_analysis_other: analyses,
        recruiter_risks: [{ key: 'x', note: hostile }],
      }),
    );
    expect(shown.pages).toBeLessThan(20);
    expect(JSON.parse(shown.headings)).toHaveLength(11);
  });

  it('keeps markup as text', () => {
    const name = '#read("a") *b*';
    const { headings } = compileResult(
      printed({ candidate: { name, email: null, phone: null, external_id: null } }),
    );
    expect(headings).toContain(JSON.stringify(name).slice(1, -1));
  });

  it('cuts answers of 100 KiB in 60 turns to a document of bounded size', () => {
    const transcript = Array.from({ length: 60 }, () => turn({ answer: 'word '.repeat(20_480) }));
    const shown = printed({ transcript });
    expect(JSON.stringify(shown).length).toBeLessThan(600_000);
    const answers = shown.sections.at(-2);
    expect(answers?.kind === 'questions' && answers.questions.every(({ answer }) => answer?.is_cut)).toBe(
      true,
    );
  });
});

describe('the evidence in an answer', () => {
  const criteria = (...spans: [string, number, number][]) =>
    readAssessment({
      criteria: spans.map(([bracket, start, end]) => ({ bracket, text: 'x', met: 'yes', start, end })),
    })?.criteria ?? [];

  it('is marked where it stands, also where it overlaps', () => {
    expect(markEvidence('abcdefgh', criteria(['weak', 4, 8], ['strong', 2, 6]))).toEqual([
      { text: 'ab', bracket: null, marks: [] },
      { text: 'cd', bracket: 'strong', marks: [] },
      { text: 'ef', bracket: 'strong', marks: [1] },
      { text: 'gh', bracket: 'weak', marks: [2] },
    ]);
  });

  it('is searched when the answer was edited, and left out when it is gone', () => {
    const raw = {
      criteria: [{ bracket: 'strong', text: 'x', met: 'yes', quote: 'we measured', start: 0, end: 11 }],
    };
    const { criteria: found } = readAssessment(raw) ?? { criteria: [] };
    expect(markEvidence('Well, we measured it', found)[1]).toMatchObject({ text: 'we measured' });
    expect(markEvidence('Something else', found)).toMatchObject([{ bracket: null }]);
  });

  it('is marked in the follow-up that was quoted', () => {
    const followUp = turn({ question_original_id: 'a', answer: 'We measured it twice.' });
    const met = { bracket: 'strong', text: 'x', met: 'yes', quote: 'We measured it', start: 0, end: 14 };
    const raw = { criteria: [{ ...met, turn_id: followUp.id }] };
    const transcript = [turn({ question_original_id: 'a', answer_assessment_raw_data: raw }), followUp];
    const section = printed({ transcript }).sections.find(({ title }) => title === 'Transcript');
    const questions = section?.kind === 'questions' ? section.questions : [];
    expect(questions.map(({ answer }) => answer?.segments.map(({ marks }) => marks))).toEqual([
      [[]],
      [[1], []],
    ]);
  });

  it('never begins or ends inside of a character', () => {
    expect(markEvidence('a😀b', criteria(['strong', 2, 4])).map(({ text }) => text)).toEqual(['a', '😀b']);
  });

  it.each([null, 'text', [], { criteria: 'none' }, { criteria: [null, { bracket: 'best' }], status: 4 }])(
    'is not expected in other data: %j',
    (raw) => {
      expect(readAssessment(raw)?.criteria ?? []).toEqual([]);
    },
  );
});

describe('a text for a PDF', () => {
  it('loses control characters and overrides of the direction, and has no lone surrogate', () => {
    expect(toPdfText('a\u0000b\u202ec\r\nd\te\ud800')).toBe('abc\nd\te\ufffd');
  });

  it('can break within long words, but not within a character', () => {
    expect(allowLineBreaks('short words', 5)).toBe('short words');
    expect(allowLineBreaks('abcdefgh', 3)).toBe('abc\u200bdef\u200bgh');
    expect(allowLineBreaks('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 2)).toBe('👩‍👩‍👧👩‍👩‍👧\u200b👩‍👩‍👧');
    expect(allowLineBreaks('漢字'.repeat(40), 10)).toBe('漢字'.repeat(40));
  });
});
