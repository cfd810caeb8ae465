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
  /** The maximum number of concurrent retry runs for silent endpoints (silent-runs.ts). */
  silentRuns?: number;
};

/**
 * The limit of concurrent retry runs (`attemptDue`) in one worker. A silent receiver keeps its run busy for a minute,
 * so a hundred silent receivers would fill Temporal's default limit of 100. All runs together use up to 2,000
 * sockets, 100 database updates per second and 125 heartbeats per second.
 */
export const retryRunsAtOnce = 500;
/**
 * The maximum number of concurrent retry runs for endpoints that count as silent. The remaining runs are left for all
 * other endpoints.
 */
const silentRunsAtOnce = 400;
/**
 * If the limit leaves no retry run for a silent endpoint, its workflow waits this long. The endpoint may have
 * recovered by then, and the wait limits the load on Temporal.
 */
const silentRestMs = 60_000;

/** The result of one call of `attemptDue`, and the state of the endpoint's deliveries after the call. */
export type AttemptedDue = Omit<RetryRunSum, 'is_silent'> & {
  /** The number of deliveries that wait for another attempt. */
  waiting: number;
  /**
   * The time until the earliest waiting delivery is due: 0 if it is due now, null if no delivery waits. If nothing
   * was attempted, 0 means that nothing can be sent to the endpoint at the moment.
   */
  next_due_in_ms: number | null;
  paused_reason: string | null;
};

/** The activities of the workflow `webhookRetries`. */
export function createWebhookActivities({ stop, silentRuns = silentRunsAtOnce, ...deps }: WebhookDeps) {
  const limited = createSilentRuns(silentRuns);
  return {
    /**
     * Attempts the endpoint's due retries, four at a time. Calling it twice is safe. When the worker shuts down, no
     * further deliveries are claimed, and requests in flight get the worker's grace period. When the activity is
     * cancelled, requests in flight are recorded as `worker_lost`.
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
 * Returns the milliseconds until the workflow must start the next retry run. If deliveries of an open endpoint were
 * due but none was attempted, the workflow must wait at least `minMs`.
 */
const nextDueIn = (
  { next_due_in_ms, is_open }: RetryState,
  attempted: number,
  minMs: number,
): number | null =>
  next_due_in_ms === null || attempted > 0 || !is_open ? next_due_in_ms : Math.max(next_due_in_ms, minMs);
