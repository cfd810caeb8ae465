import type { AppData } from '../pages/app-data';
import type { TakingText } from '../texts';
import { createDrafts } from './drafts';
import { firstState, pollAfterMs, nextState } from './interview-state';
import type { ShownAttempt, InterviewEvent, InterviewState } from './interview-state';
import { callUntilReply } from './portal-client';
import type { Portal } from './portal-client';
import type { PortalReply } from './reply';

export type AnswerInput =
  | { text: string }
  | { choice: string }
  | { seen: true }
  | { recording_id: string; duration_ms: number };

/** An answer, or a function that uploads a recording and returns the answer or the problem. */
type Prepared = AnswerInput | (() => Promise<AnswerInput | { problem: TakingText }>);

/** A text that could not be stored because the page is out of date. */
export type UnsentAnswer = { turn_id: string; text: string };

export type Interview = ReturnType<typeof createInterview>;

/**
 * Holds the state of the attempt and makes the calls that change it. `leave` is called when the attempt has ended or
 * the page is out of date. It must load the server's page and, if a text was not stored, submit this text with the
 * form of the server's page.
 */
export function createInterview(
  data: Pick<AppData, 'enrolmentId' | 'note'> & { attempt: ShownAttempt },
  portal: Portal,
  leave: (unsent: UnsentAnswer | undefined) => void,
) {
  const drafts = createDrafts(data.enrolmentId);
  const listeners = new Set<() => void>();
  let state = firstState(data.attempt, data.note);
  let endsAt = performance.now() + data.attempt.remaining_ms;
  /** Counts the events. The reply to a poll is dropped if an event happened after the poll was sent. */
  let version = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let entered: (() => Prepared | undefined) | undefined;

  const remainingMs = () => endsAt - performance.now();

  function dispatch(event: InterviewEvent, unsent?: UnsentAnswer): void {
    if (state.isLeaving) return;
    version += 1;
    const before = state.attempt.turn?.turn_id;
    state = nextState(state, event);
    if ('attempt' in event) endsAt = performance.now() + state.attempt.remaining_ms;
    if (before !== undefined && state.attempt.turn?.turn_id !== before) drafts.remove(before);
    for (const listener of listeners) listener();
    schedule();
    if (state.isLeaving) leave(unsent);
  }

  function schedule(): void {
    clearTimeout(timer);
    if (!state.isLeaving) timer = setTimeout(() => void poll(), pollAfterMs(state, remainingMs()));
  }

  const draft = () => drafts.read(state.attempt.turn?.turn_id ?? '');

  /** Reads the attempt again, because another window may have answered. */
  async function poll(): Promise<void> {
    clearTimeout(timer);
    const asked = version;
    const reply = document.hidden ? undefined : await portal.call<ShownAttempt>('attempt-get');
    if (asked !== version || reply?.kind === undefined || reply.kind === 'away') schedule();
    else if (reply.kind === 'done') dispatch({ type: 'seen', attempt: reply.body, draft: draft() });
    else dispatch({ type: 'gone' });
  }

  const onReply = (
    reply: Exclude<PortalReply<ShownAttempt>, { kind: 'away' }>,
    problem: TakingText,
    unsent?: UnsentAnswer,
  ): void => {
    if (reply.kind === 'done') dispatch({ type: 'stored', attempt: reply.body });
    else if (reply.kind === 'refused') dispatch({ type: 'refused', problem });
    else if (reply.kind === 'conflict' && reply.detail)
      dispatch({ type: 'conflict', attempt: reply.detail as ShownAttempt, draft: draft() });
    else dispatch({ type: 'gone' }, unsent);
  };

  /** Sends the answer of the open turn, and repeats the call until it succeeds or is rejected. */
  async function send(prepare: Prepared): Promise<void> {
    const turn_id = state.attempt.turn?.turn_id;
    if (state.sending || turn_id === undefined) return;
    dispatch({ type: 'sending' });
    const answer = typeof prepare === 'function' ? await prepare() : prepare;
    if ('problem' in answer) {
      dispatch({ type: 'refused', problem: answer.problem });
      return;
    }
    const json = { turn_id, ...answer };
    const onAway = () => dispatch({ type: 'retrying' });
    const reply = await callUntilReply(() => portal.call<ShownAttempt>('turn-answer', { json }), onAway);
    onReply(reply, 'message_characters', 'text' in answer ? { turn_id, text: answer.text } : undefined);
  }

  return {
    drafts,
    remainingMs,
    poll,
    dispatch,
    get state(): InterviewState {
      return state;
    },
    /** Calls `listener` after each change, until the returned function is called. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      schedule();
      return () => void listeners.delete(listener);
    },
    send,
    /**
     * Sets the function that returns what the candidate has entered for the open turn and not sent yet, until the
     * returned function is called.
     */
    offer(read: () => Prepared | undefined): () => void {
      entered = read;
      return () => {
        if (entered === read) entered = undefined;
      };
    },
    hasEntered: (): boolean => entered?.() !== undefined,
    /**
     * Ends the time of the attempt, and sends what was entered. The server accepts answers until 30 seconds after the
     * deadline, and for ten minutes recordings that began in time.
     */
    endTime(): void {
      const answer = entered?.();
      if (answer) void send(answer);
      dispatch({ type: 'over' });
    },
    /**
     * Sends what was entered, and ends the attempt early. The app stays at the question if nothing has been answered, or
     * if what was entered could not be stored.
     */
    async finish(): Promise<void> {
      if (state.sending) return;
      const answer = entered?.();
      if (answer) await send(answer);
      if (state.unsent !== null) dispatch({ type: 'finishing', isOpen: false });
      if (state.unsent !== null || state.problem || state.isLeaving) return;
      dispatch({ type: 'sending' });
      const onAway = () => dispatch({ type: 'retrying' });
      const reply = await callUntilReply(
        () => portal.call<ShownAttempt>('attempt-finish', { json: {} }),
        onAway,
      );
      const isEmpty =
        reply.kind === 'conflict' && (reply.detail as ShownAttempt | undefined)?.state === 'running';
      if (isEmpty) dispatch({ type: 'refused', problem: 'error_none_answered' });
      else onReply(reply, 'error_form');
    },
  };
}
