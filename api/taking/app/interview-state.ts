import type { AttemptRow } from '../../../db/taking/attempts';
import { graceMs } from '../grace';
import type { ShownTurn } from '../pages/turn-view';
import type { TakingText } from '../texts';

/*
 * The state of an attempt in the app, and how events change it. All functions here are pure; `interview.ts` makes the
 * calls.
 */

/** The part of an attempt that the app uses. */
export type ShownAttempt = Pick<
  AttemptRow,
  'result_id' | 'attempt' | 'state' | 'remaining_ms' | 'steps' | 'waiting_ms'
> & { turn: ShownTurn | null } & Partial<Pick<AttemptRow, 'persona' | 'stopped_because'>>;

export type InterviewState = {
  attempt: ShownAttempt;
  /** Set while an answer is being sent. */
  sending: { isRetrying: boolean } | null;
  /** What is wrong with the answer in the field. */
  problem: TakingText | null;
  /** A message about the previous question, for example that it was already answered. */
  note: TakingText | null;
  /** A text that was entered for the previous question but was not stored. */
  unsent: string | null;
  /** True while the app asks whether to end the interview early. */
  isFinishing: boolean;
  /** True during a live conversation, which shows the next turn by itself. */
  isLive: boolean;
  /** True when the time is over. What was entered by then may still be sent. */
  isOver: boolean;
  /** True when the app is about to load the server's page, which shows what comes next. */
  isLeaving: boolean;
};

export type InterviewEvent =
  /**
   * `stored` is the reply to an answer, `seen` the reply to a poll, and `conflict` the attempt after another window
   * has changed it. `draft` is the text in the field.
   */
  | { type: 'stored'; attempt: ShownAttempt }
  | { type: 'seen'; attempt: ShownAttempt; draft: string }
  | { type: 'conflict'; attempt: ShownAttempt; draft: string }
  | { type: 'sending' | 'retrying' | 'gone' | 'over' }
  | { type: 'refused'; problem: TakingText }
  | { type: 'live'; isLive: boolean }
  | { type: 'finishing'; isOpen: boolean };

export const firstState = (attempt: ShownAttempt, note: TakingText | null): InterviewState => ({
  attempt,
  sending: null,
  problem: null,
  note,
  unsent: null,
  isFinishing: false,
  isLive: false,
  isOver: false,
  isLeaving: false,
});

/** Returns the state after an event. */
export function nextState(state: InterviewState, event: InterviewEvent): InterviewState {
  switch (event.type) {
    case 'sending':
      return { ...state, sending: { isRetrying: false }, problem: null, note: null };
    case 'retrying':
      return state.sending ? { ...state, sending: { isRetrying: true } } : state;
    case 'refused':
      return { ...state, sending: null, problem: event.problem };
    case 'finishing':
      return { ...state, isFinishing: event.isOpen, problem: null };
    case 'live':
      return { ...state, isLive: event.isLive };
    case 'over':
      return { ...state, isOver: true };
    case 'gone':
      return { ...state, sending: null, isLeaving: true };
    case 'stored':
      return moveTo(state, event.attempt, null, '');
    case 'conflict':
      return moveTo(state, event.attempt, 'already_answered', event.draft);
    default:
      // While an answer is being sent, replies to polls are ignored, because the reply to the answer will show a
      // newer state than the poll does.
      if (state.sending) return state;
      if (sameTurn(state.attempt, event.attempt))
        return {
          ...state,
          attempt: event.attempt,
          isOver: state.isOver && event.attempt.remaining_ms <= 0,
        };
      // The live conversation shows the next turn when it is said.
      return state.isLive && event.attempt.state === 'running' && sameAttempt(state.attempt, event.attempt)
        ? state
        : moveTo(state, event.attempt, state.attempt.turn ? 'already_answered' : null, event.draft);
  }
}

const sameAttempt = (one: ShownAttempt, other: ShownAttempt): boolean =>
  one.result_id === other.result_id && one.attempt === other.attempt;

const sameTurn = (one: ShownAttempt, other: ShownAttempt): boolean =>
  sameAttempt(one, other) && one.state === other.state && one.turn?.turn_id === other.turn?.turn_id;

function moveTo(
  { attempt: before, isFinishing, isLive }: InterviewState,
  attempt: ShownAttempt,
  note: TakingText | null,
  draft: string,
): InterviewState {
  const isOther = !sameAttempt(before, attempt);
  // In a live conversation, the question stays on the page until the next one is decided.
  const isDeciding = isLive && attempt.state === 'running' && !attempt.turn && !isOther;
  return {
    ...firstState(isDeciding ? { ...attempt, turn: before.turn } : attempt, note),
    isLive,
    unsent: note && draft.trim() !== '' ? draft : null,
    isFinishing: isFinishing && attempt.turn !== null,
    isOver: attempt.remaining_ms <= 0,
    isLeaving: isOther || attempt.state !== 'running',
  };
}

/** Returns the milliseconds until the app's next poll. */
export function pollAfterMs({ attempt }: InterviewState, remainingMs: number): number {
  if (!attempt.turn) return attempt.waiting_ms ?? 1_000;
  return remainingMs < -graceMs ? 5_000 : 10_000;
}

/** Returns true if the time left has fallen to or below 10, 5 or 1 minutes. */
export const crossesAnnouncedMinute = (before: number, now: number): boolean =>
  [10, 5, 1].some((minutes) => now <= minutes && minutes < before);
