import type { Response } from 'express';
import { answerTurn, finishAttempt } from '../take-interview';
import type { DecisionDeps } from '../take-interview';
import { sendFinishPage } from './finish-page';
import { readAnswer } from './form-input';
import type { SentFields } from './form-input';
import { runForOutcome } from './requests';
import type { FormOutcome } from './requests';
import { isAttemptRunning } from './show-visit';
import { sendTurnPage } from './turn-page';
import type { InterviewVisit } from './visit';

/**
 * Ends the attempt early. The form contains what the candidate has entered for the open question. With `ask`, asks
 * whether to end the interview; with `back`, shows the question again; otherwise stores the answer before the end.
 */
export async function handleFinishForm(
  deps: DecisionDeps,
  visit: InterviewVisit,
  sent: SentFields,
  response: Response,
): Promise<FormOutcome> {
  if (!isAttemptRunning(visit)) return 'done';
  const open = visit.attempt?.turn;
  const hasAnswer = Boolean(sent['text']?.trim() || sent['choice']);
  if (hasAnswer && open?.turn_id !== sent['turn_id']?.toLowerCase()) return 'already_answered';
  if (sent['back'] !== undefined) {
    sendTurnPage(response, visit, { refused: { sent: sent['text'] ?? '', choice: sent['choice'] } });
    return 'shown';
  }
  const read = open && hasAnswer ? readAnswer(sent, open) : undefined;
  if (read && 'problem' in read) {
    sendTurnPage(response, visit, { refused: { problem: read.problem, sent: sent['text'] ?? '' } });
    return 'shown';
  }
  if (sent['ask'] !== undefined) {
    sendFinishPage(response, visit, { entered: hasAnswer ? sent : undefined });
    return 'shown';
  }
  if (open && read) {
    const stored = await runForOutcome(() => answerTurn(deps, visit.caller, open.turn_id, read.answer));
    if (stored !== 'done') return stored ?? 'error_form';
  }
  const outcome = await runForOutcome(() => finishAttempt(deps, visit.caller));
  if (outcome === undefined || outcome === 'done') return 'done';
  sendFinishPage(response, visit, { hasNoAnswer: true });
  return 'shown';
}
