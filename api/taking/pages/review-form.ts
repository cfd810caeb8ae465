import type { Response } from 'express';
import { reviewAnswers } from '../take-interview';
import type { DecisionDeps } from '../take-interview';
import type { RejectedAnswer } from './answer-field';
import { readChangedAnswers, validateText } from './form-input';
import { runForOutcome } from './requests';
import type { FormOutcome } from './requests';
import { sendReviewPage } from './review-page';
import type { InterviewVisit } from './visit';

/**
 * Stores all answers that the candidate has changed on the page of the review and, with `isSubmitted`, submits the
 * attempt. If an answer is not accepted, nothing is stored, and the page keeps what was entered.
 */
export async function handleReviewForm(
  deps: Pick<DecisionDeps, 'database'>,
  visit: InterviewVisit,
  response: Response,
  isSubmitted: boolean,
): Promise<FormOutcome> {
  const sent = readChangedAnswers(response.req.body);
  if (!sent) return 'error_form';
  const read = sent.map((edit) => ({ ...edit, ...validateText(edit.text), sent: edit.text }));
  if (read.some((edit) => 'problem' in edit)) {
    if (visit.attempt?.state !== 'collected') return 'error_form';
    sendReviewPage(response, visit, {
      refused: new Map(read.map((edit): [string, RejectedAnswer] => [edit.turnId, edit])),
    });
    return 'shown';
  }
  const outcome = await runForOutcome(() => reviewAnswers(deps, visit.caller, { edits: read, isSubmitted }));
  if (outcome === 'done') return isSubmitted ? 'done' : 'saved';
  return read.length > 0 || !isSubmitted ? (outcome ?? 'error_form') : outcome;
}
