import { maxOptionCharacters, optionLimits } from '../../db/interviews/question-row';
import type { Expectations } from '../../db/interviews/question-row';
import { ApiError } from '../platform/operation/api-error';
import type { ErrorCode } from '../platform/operation/error-codes';
import { withoutInvisible } from '../platform/text/visible-text';

type Asked = {
  is_multiple_choice?: boolean | undefined;
  question_alternatives?: readonly string[] | null | undefined;
  candidate_expectations_json?: Expectations | null | undefined;
};

/** Returns an option as candidates see it, because they cannot tell two that differ in what is not visible. */
const asShown = (option: string): string =>
  withoutInvisible(option).normalize('NFC').replaceAll(/\s+/gu, ' ').trim();

/**
 * Returns what is wrong with the options of a multiple choice, or with its rubric, which names options word for word. `name` is
 * the question's place in the call, such as `questions[3]`.
 */
export function checkChoices(question: Asked, name: string): ApiError[] {
  if (!question.is_multiple_choice) return [];
  const options = question.question_alternatives ?? [];
  const fail = (field: string, code: ErrorCode, message: string) =>
    new ApiError(code, `${name}.${field} ${message}.`, `${name}.${field}`);
  const { min, max } = optionLimits;
  if (options.length < min || options.length > max)
    return [
      fail(
        'question_alternatives',
        options.length === 0 ? 'required' : options.length < min ? 'too_short' : 'too_long',
        `must have ${min} to ${max} options for a multiple choice`,
      ),
    ];
  const shown = options.map(asShown);
  const wrong = options.flatMap((option, index) => {
    if (shown.indexOf(asShown(option)) < index)
      return fail(`question_alternatives[${index}]`, 'duplicate_value', 'must differ from the other options');
    if (option.length > maxOptionCharacters)
      return fail(
        `question_alternatives[${index}]`,
        'too_long',
        `must have at most ${maxOptionCharacters} characters for a multiple choice`,
      );
    return [];
  });
  const key = question.candidate_expectations_json;
  if (key && key.weak.length > 0 && key.strong.length + key.moderate.length === 0)
    wrong.push(
      fail(
        'candidate_expectations_json.strong',
        'required',
        'must name the right options, because a rubric that names only wrong ones gives no points',
      ),
    );
  const named = new Set<string>();
  const unknown = (['strong', 'moderate', 'weak'] as const).flatMap((bracket) =>
    (key?.[bracket] ?? []).flatMap((line, index) => {
      const field = `candidate_expectations_json.${bracket}[${index}]`;
      if (!options.includes(line))
        return fail(
          field,
          'invalid_value',
          `must be an option, word for word: “${line}” is not in question_alternatives`,
        );
      if (named.size === named.add(line).size)
        return fail(field, 'duplicate_value', `must name another option: “${line}” is named twice`);
      return [];
    }),
  );
  return [...wrong, ...unknown];
}
