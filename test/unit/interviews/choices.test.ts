import { checkChoices } from '../../../api/interviews/choices';
import { toChoiceFields } from '../../../api/interviews/pages/options-field';
import { questionUpdate } from '../../../api/interviews/question';
import { diffQuestions } from '../../../api/interviews/question-diff';
import type { Expectations } from '../../../db/interviews/public';
import { blankQuestion } from '../../../db/interviews/steps';

const options = (count: number) => Array.from({ length: count }, (_, index) => `Option ${index}`);
const rubric = (strong: string[], moderate: string[] = [], weak: string[] = []) => ({
  weak,
  moderate,
  strong,
});
const at = (field: string) => `questions[2].${field}`;

describe('a multiple choice', () => {
  it.each<[string, string[] | null, Expectations | null, string[]]>([
    ['two options', options(2), null, []],
    ['ten options, with a key', options(10), rubric(['Option 1'], ['Option 2'], ['Option 3']), []],
    ['several right options', options(3), rubric(['Option 1', 'Option 2']), []],
    ['no options', null, null, [`required ${at('question_alternatives')}`]],
    ['one option', options(1), null, [`too_short ${at('question_alternatives')}`]],
    ['eleven options', options(11), null, [`too_long ${at('question_alternatives')}`]],
    ['the same option twice', ['a', 'b', 'a'], null, [`duplicate_value ${at('question_alternatives[2]')}`]],
    [
      'options that look the same',
      ['é  b', 'e\u0301 b'],
      null,
      [`duplicate_value ${at('question_alternatives[1]')}`],
    ],
    [
      'options that differ only in invisible characters',
      ['Yes', 'Yes\u200b', '\u2060Yes \u3164'],
      rubric(['Yes']),
      [1, 2].map((place) => `duplicate_value ${at(`question_alternatives[${place}]`)}`),
    ],
    ['an empty rubric, which counts as none', options(2), rubric([]), []],
    ['half right options only', options(2), rubric([], ['Option 0']), []],
    [
      'wrong options only',
      options(2),
      rubric([], [], ['Option 0']),
      [`required ${at('candidate_expectations_json.strong')}`],
    ],
    ['options that differ in case', ['git', 'Git'], rubric(['git']), []],
    [
      'an option longer than a rubric can name',
      ['a', 'b'.repeat(501)],
      null,
      [`too_long ${at('question_alternatives[1]')}`],
    ],
    ...(['strong', 'moderate', 'weak'] as const).map((level): [string, string[], Expectations, string[]] => [
      `a ${level} line that is no option`,
      options(2),
      { ...rubric(['Option 1']), [level]: ['option 0'] },
      [`invalid_value ${at(`candidate_expectations_json.${level}[0]`)}`],
    ]),
    [
      'an option in two levels',
      options(2),
      rubric(['Option 0'], ['Option 0']),
      [`duplicate_value ${at('candidate_expectations_json.moderate[0]')}`],
    ],
  ])('with %s', (_what, question_alternatives, candidate_expectations_json, expected) => {
    const question = { is_multiple_choice: true, question_alternatives, candidate_expectations_json };
    const found = checkChoices(question, 'questions[2]');
    expect(found.map(({ code, field }) => `${code} ${field}`)).toEqual(expected);
    expect(checkChoices({ ...question, is_multiple_choice: false }, '')).toEqual([]);
  });

  it('is checked by an update with the fields that the call leaves out, and only if it changes', () => {
    const record = {
      ...blankQuestion('en'),
      id: '00000000-0000-4000-8000-000000000001',
      question: 'Which?',
      is_multiple_choice: true,
      question_alternatives: options(3),
      candidate_expectations_json: rubric(['Option 2']),
    };
    const field = 'questions[0].candidate_expectations_json.strong[0]';
    const namesLine = expect.objectContaining({ code: 'invalid_value', field }) as Error;
    const update = (more: object, existing = record) =>
      diffQuestions(
        [existing],
        [questionUpdate.parse({ id: record.id, question: 'Which?', ...more })],
        new Map(),
        'en',
      );
    expect(() => update({ question_alternatives: options(2) })).toThrow(namesLine);
    expect(update({ question_alternatives: options(4) }).isChanged).toBe(true);
    expect(update({ question_alternatives: options(2), candidate_expectations_json: null }).isChanged).toBe(
      true,
    );
    const earlier = { ...record, candidate_expectations_json: rubric(['Gives a reason']) };
    expect(update({}, earlier).isChanged).toBe(false);
    expect(() => update({ label: 'New' }, earlier)).toThrow(namesLine);
  });

  it('keeps the wrong options of its key when the console saves it', () => {
    const worthOf = (worths: string[]) => worths.map((worth, index) => ({ text: `Option ${index}`, worth }));
    const saved = (worths: string[]) =>
      toChoiceFields(worthOf(worths), ['Option 1', 'Option 2', 'A removed one']).candidate_expectations_json;
    expect(saved(['strong', '', 'moderate'])).toEqual(rubric(['Option 0'], ['Option 2'], ['Option 1']));
    expect(saved(['', '', ''])).toBeNull();
  });
});
