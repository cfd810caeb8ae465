import type { VNode } from 'preact';
import { FieldGroup, OptionElements } from '../../platform/site/form';
import { Reorder, reordered } from '../../platform/site/reorder';
import { sentValues, sentText } from '../../platform/site/site';
import type { RequestData } from '../../platform/site/site';
import type { Question } from '../question';

/** An option of a multiple choice with what the key says about it: `strong` is right, `moderate` half right. */
type Option = { text: string; worth: string };

const worths = [
  { value: '', label: 'Wrong' },
  { value: 'moderate', label: 'Half right' },
  { value: 'strong', label: 'Right' },
];
const blank: Option = { text: '', worth: '' };

/** Returns the options of a stored question with their key, or four empty ones of a new question. */
export function storedOptions(question: Question | undefined): readonly Option[] {
  const rubric = question?.candidate_expectations_json;
  const options = (question?.question_alternatives ?? []).map((text) => ({
    text,
    worth: rubric?.strong.includes(text) ? 'strong' : rubric?.moderate.includes(text) ? 'moderate' : '',
  }));
  return options.length > 0 ? options : [blank, blank, blank, blank];
}

/** Reads the options of a form. `isChanged` is true if a button of the list moved, removed or added one. */
export function readSentOptions(sent: RequestData): { options: readonly Option[]; isChanged: boolean } {
  const worthOf = sentValues(sent, 'worth');
  const options = sentValues(sent, 'option').map((text, index) => ({
    text: text.replaceAll('\r\n', '\n').trim(),
    worth: worthOf[index] ?? '',
  }));
  const changed = sentText(sent, 'change') === 'add' ? [...options, blank] : reordered(options, sent);
  return { options: changed ?? options, isChanged: changed !== undefined };
}

/**
 * Returns the fields of the question. Without a right or half right option there is no key. The key can also name wrong options
 * (`weak`), which the form shows like the others: those that are still wrong stay in it.
 */
export function toChoiceFields(options: readonly Option[], weak: readonly string[]) {
  const entered = options.filter(({ text }) => text !== '');
  const marked = (wanted: string) => entered.filter(({ worth }) => worth === wanted).map(({ text }) => text);
  const key = {
    strong: marked('strong'),
    moderate: marked('moderate'),
    weak: weak.filter((line) => marked('').includes(line)),
  };
  return {
    is_multiple_choice: true,
    question_alternatives: entered.map(({ text }) => text),
    candidate_expectations_json: key.strong.length + key.moderate.length > 0 ? key : null,
  };
}

/** The options of a multiple choice, in the order that candidates see, each with a control that marks it as right. */
export const OptionsField = ({ options }: { options: readonly Option[] }): VNode => (
  <FieldGroup
    name="question_alternatives"
    label="Options"
    hint="2 to 10, in the order that candidates see. Without a right one, the question is not scored. Empty ones are left out."
  >
    <Reorder
      label="Options"
      canRemove
      entries={options.map(({ text, worth }, index) => ({
        name: text || `Option ${index + 1}`,
        content: (
          <span class="option">
            <textarea name="option" rows={2} maxlength={500} aria-label="Option" dir="auto">
              {text}
            </textarea>
            <select name="worth" aria-label={`Worth of option ${index + 1}`}>
              <OptionElements options={worths} value={worth} />
            </select>
          </span>
        ),
      }))}
    />
    <p>
      <button class="plain" name="change" value="add" formnovalidate>
        Add option
      </button>
    </p>
  </FieldGroup>
);
