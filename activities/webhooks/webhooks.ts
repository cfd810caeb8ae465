import { findRetries } from '../../db/webhooks/retries';
import type { RetryState } from '../../db/webhooks/retries';
import { withHeartbeat } from '../platform/heartbeat';
import { nothingAttempted, runRetries } from './sender/retry-run';
import type { RetryRunDeps, RetryRunSum } from './sender/retry-run';
import { createSilentRuns } from './sender/silent-runs';

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

type WebhookDeps = RetryRunDeps & {
  /** Aborts when the worker shuts down. */
  stop: AbortSignal;
  /** The maximum number of concurrent runs for endpoints that are known as silent (silent-runs.ts). */
  silentRuns?: number;
};

/**
 * The limit of concurrent `attemptDue` runs in one worker. A silent receiver occupies its run for a minute, so a
 * hundred silent receivers would fill Temporal's default limit of 100. A run uses at most four sockets, so all runs use
 * 2,000 in addition to the sender's 1,100. While a run waits for responses, it makes a database update every five
 * seconds and a heartbeat every four seconds: 100 and 125 per second for all runs.
 */
export const retryRunsAtOnce = 500;
/**
 * The maximum number of concurrent runs for endpoints that are known as silent. The other runs are for endpoints that
 * respond and for those that are not known yet.
 */
const silentRunsAtOnce = 400;
/**
 * A silent endpoint that gets no run waits this long. The endpoint may have recovered by then, and the wait limits the
 * load on Temporal.
 */
const silentRestMs = 60_000;

/** The result of one run of `attemptDue`, and the state of the endpoint's deliveries after it. */
export type AttemptedDue = Omit<RetryRunSum, 'is_silent'> & {
  /** Deliveries that wait for another attempt. */
  waiting: number;
  /**
   * The time until the earliest of the waiting deliveries is due: 0 means now, null means that none waits. If nothing
   * was attempted, 0 means that nothing can be sent to the endpoint.
   */
  next_due_in_ms: number | null;
  paused_reason: string | null;
};

/** The activities of the workflow `webhookRetries`. */
export function createWebhookActivities({ stop, silentRuns = silentRunsAtOnce, ...deps }: WebhookDeps) {
  const limited = createSilentRuns(silentRuns);
  return {
    /**
     * Attempts the endpoint's due retries, four at a time. It is safe to run twice. When the worker shuts down, it
     * stops claiming, and requests in flight get the worker's grace period. When the activity is cancelled, requests in
     * flight are recorded as `worker_lost`.
     */
    attemptDue: ({ endpoint_id }: { endpoint_id: string }): Promise<AttemptedDue> =>
      withHeartbeat(async (cancelled) => {
        const run = await limited.run(endpoint_id, () => runRetries(deps, endpoint_id, { stop, cancelled }));
        const [state] = await deps.database.queryAsWorker(findRetries(endpoint_id));
        const { is_silent: _, ...sum } = run ?? nothingAttempted;
        return {
          ...sum,
          waiting: state?.waiting ?? 0,
          next_due_in_ms: state ? nextDueIn(state, sum.attempted, run ? 1 : silentRestMs) : null,
          paused_reason: state?.paused_reason ?? null,
        };
      }),
  };
}

/**
 * Returns the milliseconds until the workflow must start the next run. If deliveries of an open endpoint were due but
 * none was attempted, it must wait at least `minMs`.
 */
const nextDueIn = (
  { next_due_in_ms, is_open }: RetryState,
  attempted: number,
  minMs: number,
): number | null =>
  next_due_in_ms === null || attempted > 0 || !is_open ? next_due_in_ms : Math.max(next_due_in_ms, minMs);
