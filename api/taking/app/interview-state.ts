import type { AttemptRow } from '../../../db/taking/attempts';
import type { ShownTurn } from '../pages/turn-view';
import type { TakingText } from '../texts';

/* What the app knows of an attempt, and how it changes. Everything here is pure; `interview.ts` makes the calls. */

/** The part of an attempt that the app uses. */
export type Attempt = Pick<
  AttemptRow,
  'result_id' | 'attempt' | 'state' | 'remaining_ms' | 'steps' | 'waiting_ms'
> & { turn: ShownTurn | null };

export type InterviewState = {
  attempt: Attempt;
  /** Set while an answer is being sent. */
  sending: { isRetrying: boolean } | null;
  /** What is wrong with the answer in the field. */
  problem: TakingText | null;
  /** What happened to the last question. */
  note: TakingText | null;
  /** A text of the last question that was not stored. */
  unsent: string | null;
  /** True while the app asks whether to end the interview early. */
  isFinishing: boolean;
  /** True when the page of the server shows what comes next. */
  isLeaving: boolean;
};

export type InterviewEvent =
  /** The reply to an answer, or the attempt as another window has left it. `draft` is the text in the field. */
  | { type: 'stored'; attempt: Attempt }
  | { type: 'seen'; attempt: Attempt; draft: string }
  | { type: 'conflict'; attempt: Attempt; draft: string }
  | { type: 'sending' | 'retrying' | 'gone' }
  | { type: 'refused'; problem: TakingText }
  | { type: 'finishing'; isOpen: boolean };

export const firstState = (attempt: Attempt, note: TakingText | null): InterviewState => ({
  attempt,
  sending: null,
  problem: null,
  note,
  unsent: null,
  isFinishing: false,
  isLeaving: false,
});

/** Returns the state after an event. */
export function reduce(state: InterviewState, event: InterviewEvent): InterviewState {
  switch (event.type) {
    case 'sending':
      return { ...state, sending: { isRetrying: false }, problem: null, note: null };
    case 'retrying':
      return state.sending ? { ...state, sending: { isRetrying: true } } : state;
    case 'refused':
      return { ...state, sending: null, problem: event.problem };
    case 'finishing':
      return { ...state, isFinishing: event.isOpen, problem: null };
    case 'gone':
      return { ...state, sending: null, isLeaving: true };
    case 'stored':
      return moveTo(state, event.attempt, null, '');
    case 'conflict':
      return moveTo(state, event.attempt, 'already_answered', event.draft);
    default:
      // The reply to the answer that is being sent says more than a poll.
      if (state.sending) return state;
      return sameTurn(state.attempt, event.attempt)
        ? { ...state, attempt: event.attempt }
        : moveTo(state, event.attempt, state.attempt.turn ? 'already_answered' : null, event.draft);
  }
}

const sameTurn = (one: Attempt, other: Attempt): boolean =>
  one.result_id === other.result_id &&
  one.attempt === other.attempt &&
  one.state === other.state &&
  one.turn?.turn_id === other.turn?.turn_id;

function moveTo(
  { attempt: before, isFinishing }: InterviewState,
  attempt: Attempt,
  note: TakingText | null,
  draft: string,
): InterviewState {
  const isOther = before.result_id !== attempt.result_id || before.attempt !== attempt.attempt;
  return {
    ...firstState(attempt, note),
    unsent: note && draft.trim() !== '' ? draft : null,
    isFinishing: isFinishing && attempt.turn !== null,
    isLeaving: isOther || attempt.state !== 'running',
  };
}

/** Answers are accepted for this many milliseconds after the deadline. */
export const graceMs = 30_000;

/** Returns after how many milliseconds the app asks again how the attempt stands. */
export function pollAfterMs({ attempt }: InterviewState, remainingMs: number): number {
  if (!attempt.turn) return attempt.waiting_ms ?? 1_000;
  return remainingMs < -graceMs ? 5_000 : 10_000;
}

/** Returns true if the time left has fallen to or below 10, 5 or 1 minutes. */
export const isAnnounced = (before: number, now: number): boolean =>
  [10, 5, 1].some((minutes) => now <= minutes && minutes < before);
