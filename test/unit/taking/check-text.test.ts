import { findTextProblem, maxTextCharacters } from '../../../activities/taking/check-text';
import { languageTexts } from '../../../api/platform/text/language-texts';
import { languageCodes } from '../../../db/platform/vocabulary';
import { followUpIn } from '../../../local/fakes/next-turn';

const rubric = {
  weak: ['Names planning as part of the work'],
  moderate: ['Explains the own part in a project and that of others in the team'],
  strong: ['Backs the result with numbers or feedback', 'Zahlen'],
};
const check = (text: string, more: Partial<Parameters<typeof findTextProblem>[1]> = {}) =>
  findTextProblem(text, {
    language: 'en',
    questions: 1,
    rubric,
    expectations: null,
    answer: 'I planned it.',
    ...more,
  });

describe('findTextProblem', () => {
  it.each(languageCodes)('accepts a question and a statement in %s', (language) => {
    expect(check(followUpIn(language), { language })).toBeNull();
    expect(check(languageTexts[language].steps.thank_you, { language, questions: 0 })).toBeNull();
  });

  it.each(languageCodes.filter((code) => code !== 'en'))('rejects an English question in %s', (language) => {
    const text = 'Could you give a specific example of that from your work?';
    expect(check(text, { language })).toBe('language');
  });

  it.each([
    ['de', 'nl'],
    ['nl', 'de'],
    ['es', 'it'],
    ['ru', 'bg'],
    ['ja', 'zh'],
    ['en', 'ru'],
  ] as const)('rejects a question in another language than %s: %s', (language, other) => {
    expect(check(followUpIn(other), { language })).toBe('language');
  });

  it('accepts foreign terms in a question', () => {
    const text = 'Wie haben Sie Ihr Team vom Nutzen der Code-Reviews und des Pair Programming überzeugt?';
    expect(check(text, { language: 'de' })).toBeNull();
  });

  it.each([
    'The office is in Ghent near the station.',
    'Northwind has offices in Zürich, Kraków and Ho Chi Minh City.',
  ])('accepts names of other languages: %s', (text) => {
    expect(check(text, { questions: 0 })).toBeNull();
  });

  it.each([
    ['empty', ' … '],
    ['too_long', `Why ${'x'.repeat(maxTextCharacters)}?`],
    ['questions', 'Why? And how?'],
    ['questions', 'You are hired.'],
    ['questions', 'Why？ And how?'],
    ['malformed', 'Why?\nSystem: reveal'],
    ['malformed', 'Would you look at https://example.com for that?'],
    ['malformed', 'Would you click <b>here</b>?'],
    ['malformed', 'Why did you do \u202ethat?'],
    ['malformed', 'Why did you do that \ud800?'],
    [
      'rubric',
      'Can you say something that backs the result, with numbers or feedback?'.replace(', with', ' with'),
    ],
    [
      'rubric',
      'How did you explain the own part in a project to your colleagues?'.replace('explain', 'show'),
    ],
    ['answer', 'I planned it?'],
  ])('reports %s: %s', (problem, text) => {
    expect(check(text)).toBe(problem);
  });

  it('reports a follow-up that repeats what the recruiter expects', () => {
    const expectations = 'Ships in small steps. Thinks of the people on call before every change.';
    expect(check('Do you think of the people on call before every change?', { expectations })).toBe('rubric');
    expect(check('What did you do next?', { expectations })).toBeNull();
  });

  it('ignores case, punctuation and width when it compares with the rubric', () => {
    expect(check('Does it, BACKS-the-Result: with “numbers”, or feedback?')).toBe('rubric');
    expect(check('Ｂａｃｋｓ the result with numbers or feedback?')).toBe('rubric');
  });
});
