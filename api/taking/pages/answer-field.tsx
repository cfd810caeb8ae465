import type { VNode } from 'preact';
import type { TakingText, TakingTexts } from '../texts';
import { FieldError } from './field-error';

/** The maximum number of characters of an answer, as in `turn-answer`. */
export const maxAnswerCharacters = 20_000;

/** A rejected answer: what was wrong with it, and the text, which stays in the field. */
export type Refused = { problem: TakingText; sent: string };

type AnswerFieldProps = {
  id: string;
  rows: number;
  texts: TakingTexts;
  refused: Refused | undefined;
  /** The text to show if no answer was rejected. */
  value?: string | null;
};

/**
 * The field for a typed answer. If an answer was rejected, the field has the focus and shows the text and its
 * problem.
 */
export const AnswerField = ({ id, rows, texts, refused, value }: AnswerFieldProps): VNode => (
  <>
    <label for={id}>{texts('your_answer')}</label>
    {refused && (
      <FieldError id="problem">{texts(refused.problem, { count: maxAnswerCharacters })}</FieldError>
    )}
    <textarea
      id={id}
      name="text"
      rows={rows}
      dir="auto"
      maxlength={maxAnswerCharacters}
      autofocus={refused !== undefined}
      aria-invalid={refused ? 'true' : undefined}
      aria-describedby={refused && 'problem'}
    >
      {refused?.sent ?? value}
    </textarea>
  </>
);
