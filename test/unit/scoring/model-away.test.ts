import type { ScoringOutcome } from '../../../activities/scoring/score-activities';
import { resultScoring } from '../../../workflows/result-scoring';

/* Runs the scoring workflow with a fake clock: a pause of the workflow only moves the clock forward. */

const away: ScoringOutcome = { state: 'away', reason: 'the model responded with 503', retry_after_ms: 0 };
const start = Date.parse('2026-11-23T12:00:00Z');
const hour = 3_600_000;

/** `backAt` is the time at which the model responds again. The other fields record what the workflow did. */
const now = { backAt: 0, calls: [] as string[], pauses: [] as number[], failure: '' };
const call = (name: string) => async (): Promise<ScoringOutcome> => {
  now.calls.push(name);
  return Date.now() < now.backAt ? away : { state: 'done' };
};
const activities = {
  openScoring: async () => ({ places: [1, 2], pending: 0 }),
  scoreAnswer: call('scoreAnswer'),
  scoreSession: call('scoreSession'),
  summarizeResult: call('summarizeResult'),
  recordScoring: async () => ({ is_written: true }),
  failScoring: async ({ failure }: { failure: string }) => void (now.failure = failure),
};

jest.mock('@temporalio/workflow', () => ({
  ...jest.requireActual<object>('@temporalio/common'),
  CancellationScope: { nonCancellable: (work: () => unknown) => work() },
  isCancellation: () => false,
  proxyActivities: () => activities,
  setCurrentDetails: () => undefined,
  upsertSearchAttributes: () => undefined,
  workflowInfo: () => ({ taskQueue: 'main', typedSearchAttributes: { get: () => undefined } }),
  sleep: async (ms: number) => {
    now.pauses.push(ms);
    jest.setSystemTime(Date.now() + ms);
  },
}));

/** Scores a result while the model does not respond for `awayMs`. Returns the hours until the workflow ended. */
async function scoreWhileAway(awayMs: number): Promise<number> {
  jest.useFakeTimers({ now: start, doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  Object.assign(now, { backAt: start + awayMs, calls: [], pauses: [], failure: '' });
  try {
    await resultScoring({ result_id: 'any', attempt: 1, run: 1 }).catch(() => undefined);
    return (Date.now() - start) / hour;
  } finally {
    jest.useRealTimers();
  }
}

describe('the scoring while the model is away', () => {
  it('for an hour waits, with pauses that grow to ten minutes, and then scores everything', async () => {
    const hours = await scoreWhileAway(hour);
    expect(hours).toBeGreaterThan(1);
    expect(hours).toBeLessThan(1.2);
    expect(now.pauses.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(Math.max(...now.pauses)).toBe(600_000);
    // The first round makes three calls, each round after a pause makes one until the model is back, and then four
    // calls are left.
    expect(now.calls.length).toBe(3 + (now.pauses.length - 1) + 4);
    expect(new Set(now.calls.slice(-4))).toEqual(new Set(['scoreAnswer', 'scoreSession', 'summarizeResult']));
    expect(now.failure).toBe('');
  });

  it('for two days gives up after a day', async () => {
    expect(await scoreWhileAway(48 * hour)).toBe(24);
    expect(now.failure).toBe('model_away: the model responded with 503');
  });
});
