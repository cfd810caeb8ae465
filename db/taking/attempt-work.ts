import type { Statement } from '../platform/statement';
import type { completionReasons, failedStatuses } from '../results/public';

/* Statements with which the worker changes attempts (docs/taking.md#an-attempt). */

/**
 * What to ask after an answered turn: a text (a follow-up, the same question again after silence, or a reply to the
 * candidate's question), the conditional question that is next in the plan, or the planned turn that follows if this
 * conditional question is skipped. `stop` skips the remaining scored questions; its text is the reason.
 */
export type NextTurn =
  | { kind: 'follow_up' | 'repeat' | 'candidate_asks'; text: string }
  | { kind: 'stop'; text: 'enough' | 'empty' }
  | 'conditional'
  | 'next_planned';

/**
 * Asks a turn after `afterTurn`, and returns the id of the new turn. `exists` means that a turn after `afterTurn` was
 * already asked, and `ended` that no turn was left, so the attempt has ended. If a follow-up or reply would exceed
 * the limits of the attempt, the next planned turn is asked instead.
 */
export const askNextTurn = (
  resultId: string,
  attempt: number,
  afterTurn: string,
  next: NextTurn,
): Statement<{ outcome: 'asked' | 'exists' | 'ended' | 'not_running'; turn_id: string | null }> => ({
  name: 'ask_next_turn',
  text: 'select outcome, turn_id from app.ask_next_turn($1, $2, $3, $4, $5)',
  values: [
    resultId,
    attempt,
    afterTurn,
    typeof next === 'string' ? next : next.kind,
    typeof next === 'string' ? null : next.text,
  ],
});

/** How sure a transcription was: the mean probability of its tokens, from 0 to 1, and their number. */
export type TranscriptConfidence = { mean: number; tokens: number };

/**
 * Stores the transcript of a recorded answer once. An empty text means silence. `failed` marks an answer that could
 * not be transcribed, and a later transcript replaces this mark. Returns false if there is a transcript already.
 */
export const setTranscript = (
  turnId: string,
  text: string | null,
  status: 'done' | 'failed',
  confidence: TranscriptConfidence | null = null,
): Statement<{ stored: boolean }> => ({
  name: 'set_transcript',
  text: 'select app.set_transcript($1, $2, $3, $4, $5) as stored',
  values: [turnId, text, status, confidence?.mean, confidence?.tokens],
});

/**
 * Fails an attempt in progress: the attempt gets no result, `interview_failed` is sent and nothing is charged.
 * Returns false if the attempt is not in progress.
 */
export const failAttempt = (
  resultId: string,
  attempt: number,
  status: (typeof failedStatuses)[number],
  reason: (typeof completionReasons)[number],
): Statement<{ failed: boolean }> => ({
  name: 'fail_attempt',
  text: 'select app.fail_attempt($1, $2, $3, $4) as failed',
  values: [resultId, attempt, status, reason],
});

/**
 * The number of attempts that one statement closes. For each attempt, a result and a credit account stay locked until
 * the commit.
 */
export const closingBatchSize = 50;

/**
 * Closes attempts whose time is over or whose candidate has left (docs/taking.md#ends), except those of `exceptIds`.
 * Returns the number of closed ones, and the results whose attempts could not be closed.
 */
export const closeDueAttempts = (
  exceptIds: readonly string[],
): Statement<{ closed: number; failed: { result_id: string; code: string }[] }> => ({
  name: 'close_due_attempts',
  text: 'select closed, failed from app.close_due_attempts($1, $2)',
  values: [closingBatchSize, exceptIds],
});
