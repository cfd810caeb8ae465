import {
  firstState,
  crossesAnnouncedMinute,
  pollAfterMs,
  nextState,
} from '../../../api/taking/app/interview-state';
import type { ShownAttempt, InterviewState } from '../../../api/taking/app/interview-state';

const attemptAt = (turnId: string | null, more: Partial<ShownAttempt> = {}): ShownAttempt => ({
  result_id: 'r',
  attempt: 1,
  state: 'running',
  remaining_ms: 60_000,
  steps: { done: 0, total: 2 },
  waiting_ms: turnId === null ? 1_500 : null,
  turn:
    turnId === null
      ? null
      : {
          turn_id: turnId,
          kind: 'question',
          text: `${turnId}?`,
          has_speech: false,
          answer: { mode: 'text', required: true, may_type: true, kept_as: null, max_seconds: null },
          number: 1,
          of: 2,
        },
  ...more,
});
const first = firstState(attemptAt('a'), null);
const after = (state: InterviewState, ...events: Parameters<typeof nextState>[1][]) =>
  events.reduce(nextState, state);

describe('the state of the app', () => {
  it('moves to the next turn when the answer is stored, and forgets what was shown before', () => {
    const wrong = after(first, { type: 'refused', problem: 'error_empty' });
    expect(wrong.problem).toBe('error_empty');
    const state = after(
      wrong,
      { type: 'sending' },
      { type: 'retrying' },
      { type: 'stored', attempt: attemptAt('b') },
    );
    expect(state).toEqual(firstState(attemptAt('b'), null));
  });

  it('keeps the question while an answer is tried again', () => {
    const state = after(first, { type: 'sending' }, { type: 'retrying' });
    expect([state.attempt, state.sending]).toEqual([first.attempt, { isRetrying: true }]);
  });

  it('shows the text that was not stored because another window has answered', () => {
    const lost = { note: 'already_answered', unsent: 'Mine.', sending: null };
    const conflict = { type: 'conflict', attempt: attemptAt('b'), draft: 'Mine.' } as const;
    expect(after(first, { type: 'sending' }, conflict)).toMatchObject(lost);
    const seen = { type: 'seen', attempt: attemptAt('b'), draft: 'Mine.' } as const;
    expect(after(first, seen)).toMatchObject(lost);
    expect(after(first, { ...seen, draft: ' ' }).unsent).toBeNull();
  });

  it('ignores a poll while an answer is being sent, and when nothing has changed', () => {
    const sending = after(first, { type: 'sending' });
    expect(after(sending, { type: 'seen', attempt: attemptAt('b'), draft: '' })).toBe(sending);
    const refused = after(first, { type: 'refused', problem: 'error_empty' });
    const seen = after(refused, { type: 'seen', attempt: attemptAt('a', { remaining_ms: 5 }), draft: '' });
    expect([seen.problem, seen.note, seen.attempt.remaining_ms]).toEqual(['error_empty', null, 5]);
  });

  it('shows the decided question without a note', () => {
    const waiting = after(first, { type: 'stored', attempt: attemptAt(null) });
    expect(pollAfterMs(waiting, 60_000)).toBe(1_500);
    const state = after(waiting, { type: 'seen', attempt: attemptAt('b'), draft: '' });
    expect([state.note, state.attempt.turn?.turn_id]).toEqual([null, 'b']);
  });

  it('leaves it to a live conversation to show the next question, and keeps the last one until then', () => {
    const live = after(first, { type: 'live', isLive: true });
    expect(after(live, { type: 'seen', attempt: attemptAt('b'), draft: '' })).toBe(live);
    const deciding = after(live, { type: 'stored', attempt: attemptAt(null) });
    expect(deciding.attempt.turn?.turn_id).toBe('a');
    const next = after(deciding, { type: 'stored', attempt: attemptAt('b') });
    expect([next.attempt.turn?.turn_id, next.isLive]).toEqual(['b', true]);
    const ended = attemptAt(null, { state: 'collected' });
    expect(after(next, { type: 'seen', attempt: ended, draft: '' }).isLeaving).toBe(true);
  });

  it.each([
    ['has ended', attemptAt(null, { state: 'collected' })],
    ['is another one', attemptAt('b', { attempt: 2 })],
    ['belongs to another candidate', attemptAt('b', { result_id: 'other' })],
  ])('leaves the page when the attempt %s', (_what, attempt) => {
    expect(after(first, { type: 'seen', attempt, draft: '' }).isLeaving).toBe(true);
    expect(after(first, { type: 'gone' }).isLeaving).toBe(true);
  });

  it('stays over when an answer is stored after the deadline, and goes on if the time is extended', () => {
    const over = after(first, { type: 'over' });
    const late = attemptAt('b', { remaining_ms: 0 });
    expect(after(over, { type: 'sending' }, { type: 'stored', attempt: late }).isOver).toBe(true);
    const seen = (remaining_ms: number) =>
      after(over, { type: 'seen', attempt: attemptAt('a', { remaining_ms }), draft: '' });
    expect([seen(0).isOver, seen(60_000).isOver]).toEqual([true, false]);
  });

  it('announces 10, 5 and 1 minutes once, also when minutes were skipped', () => {
    const announced = [20, 11, 10, 9, 5, 3, 1, 0].map((now, index, all) =>
      crossesAnnouncedMinute(all[index - 1] ?? 20, now),
    );
    expect(announced).toEqual([false, false, true, false, true, false, true, false]);
    expect(crossesAnnouncedMinute(12, 4)).toBe(true);
  });
});
