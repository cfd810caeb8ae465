import type { VNode } from 'preact';
import { errorAttributes, FieldError } from '../../platform/site/field-error';
import type { TakingText, TakingTexts } from '../texts';
import { CutTextNote } from './cut-text';

/** The maximum number of characters of an answer, as in `turn-answer`. */
export const maxAnswerCharacters = 20_000;

/** An answer that was not stored: what is wrong with it, if anything, and the text, which stays in the field. */
export type RejectedAnswer = { problem?: TakingText; sent: string; choice?: string | undefined };

type AnswerFieldProps = {
  id: string;
  rows: number;
  texts: TakingTexts;
  refused: RejectedAnswer | undefined;
  /** The text to show if no answer was rejected. */
  value?: string | null;
  /** The id of the form, if the field is outside of it. */
  form?: string;
  /** The id of the message about a problem. */
  problemId?: string;
};

/**
 * The field for a typed answer. If an answer was rejected, the field has the focus and shows the text and its
 * problem.
 */
export function AnswerField(props: AnswerFieldProps): VNode {
  const { id, rows, texts, refused, value, form, problemId = 'problem' } = props;
  const problem = refused?.problem;
  return (
    <>
      <label for={id}>{texts('your_answer')}</label>
      {problem && <FieldError id={problemId}>{texts(problem, { count: maxAnswerCharacters })}</FieldError>}
      <CutTextNote texts={texts} text={refused?.sent} max={maxAnswerCharacters} />
      <textarea
        id={id}
        form={form}
        name="text"
        rows={rows}
        dir="auto"
        maxlength={maxAnswerCharacters}
        {...errorAttributes(problem && problemId)}
      >
        {refused ? refused.sent.slice(0, maxAnswerCharacters) : value}
      </textarea>
    </>
  );
}
