import type { Statement } from '../platform/statement';
import type { LanguageCode } from '../platform/vocabulary';
import type { AttemptRow } from './attempts';

/* Statements of the live process, in the scope of a candidate's link (docs/live.md). */

/** What the live process has to know about an attempt. */
export type LiveAttempt = {
  merchant_id: string;
  interview_id: string;
  result_id: string;
  attempt: number;
  /** How many times as long as others the candidate may take. */
  time_factor: number;
  conversation_speed: 'slower' | 'normal' | 'faster' | null;
  interview_type: string;
  language: LanguageCode;
  /** When the connection began, in milliseconds: earlier ones of the attempt end. */
  begun_at: number;
};

/**
 * Returns the running attempt, or no row if there is none or its questions are not spoken. Notifies all processes, whose
 * earlier connections of the attempt end (`parseLiveBegun`).
 */
export const beginLive: Statement<LiveAttempt> = {
  name: 'begin_live',
  text: 'select * from app.begin_live()',
};

/** Reads the notification of `beginLive`. Returns undefined for the empty one of a connection that was opened again. */
export function parseLiveBegun(
  payload: string,
): Pick<LiveAttempt, 'result_id' | 'attempt' | 'begun_at'> | undefined {
  const [result_id, attempt, begun_at] = payload.split(' ');
  return result_id && begun_at
    ? { result_id, attempt: Number(attempt), begun_at: Number(begun_at) }
    : undefined;
}

/** Stores what was heard of an answer with its recording that is still being uploaded. */
export const setDraft = (turnId: string, recordingId: string, draft: string): Statement => ({
  name: 'set_draft',
  text: 'select app.set_draft($1, $2, $3)',
  values: [turnId, recordingId, draft],
});

/** Finds the turn of a recording whose answer was given live and is not transcribed yet. */
export const findLiveTurn = (
  recordingId: string,
): Statement<Pick<LiveAttempt, 'result_id' | 'attempt'> & { turn_id: string }> => ({
  name: 'find_live_turn',
  text: 'select * from app.find_live_turn($1)',
  values: [recordingId],
});

/**
 * Opens an answered turn again and removes the turn after it. `final` means that it is too late for that, and nothing was
 * changed.
 */
export const withdrawTurn = (
  turnId: string,
): Statement<{ outcome: 'withdrawn' | 'final'; attempt: AttemptRow | null }> => ({
  name: 'withdraw_turn',
  text: 'select outcome, attempt from app.withdraw_turn($1)',
  values: [turnId],
});

/** Records how long the provider listened, and what that cost if the price is known. */
export const recordListening = (
  { result_id, attempt }: Pick<LiveAttempt, 'result_id' | 'attempt'>,
  { model, listenedMs, costUsd }: { model: string; listenedMs: number; costUsd: number | null },
): Statement => ({
  name: 'record_listening',
  text: 'select app.record_listening($1, $2, $3, $4, $5)',
  values: [result_id, attempt, model, Math.round(listenedMs), costUsd],
});
