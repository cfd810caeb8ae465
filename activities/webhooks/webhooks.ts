import { findRetries } from '../../db/webhooks/retries';
import type { RetryState } from '../../db/webhooks/retries';
import { withHeartbeat } from '../platform/heartbeat';
import { nothingAttempted, runRetries } from './sender/retry-run';
import type { RetryRunDeps, RetryRunSum } from './sender/retry-run';
import { createSilentPlaces } from './sender/silent-places';

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

export type WebhookDeps = RetryRunDeps & {
  /** Aborts when the worker is told to end. */
  stop: AbortSignal;
  /** Of the runs at a time, those that endpoints known as silent may have. */
  silentRuns?: number;
};

/**
 * Runs of `attemptDue` at a time in one worker. A receiver that is silent holds its run for a minute, so Temporal's own
 * 100 would be full of a hundred of them. A run is four sockets at most, 2,000 in all beside the loop's 1,100, and while it
 * waits for answers an update each five seconds and a heartbeat each four: 100 and 125 a second for all of them.
 */
export const retryRunsAtOnce = 500;
/** The rest is for endpoints that answer, and for those of which it is not known yet. */
const silentRunsAtOnce = 400;
/** Temporal's work for an endpoint that finds no place; it may be silent no more. */
const silentRestMs = 60_000;

/** What one run of `attemptDue` did, and what it leaves. */
export type AttemptedDue = Omit<RetryRunSum, 'is_silent'> & {
  /** Deliveries that wait for another attempt. */
  waiting: number;
  /**
   * Until the earliest of them, 0: now; null where none waits. Where nothing was attempted, 0 says that the endpoint
   * cannot be sent to.
   */
  next_due_in_ms: number | null;
  paused_reason: string | null;
};

/** Activities of `webhookRetries`. */
export function createWebhookActivities({ stop, silentRuns = silentRunsAtOnce, ...deps }: WebhookDeps) {
  const silentPlaces = createSilentPlaces(silentRuns);
  return {
    /**
     * Attempts what is due of the endpoint's retries, four at a time. Safe to run twice. When the worker is to end it
     * claims no more; what is under way has the worker's grace. When it is cancelled, what is under way is recorded as
     * `worker_lost`.
     */
    attemptDue: ({ endpoint_id }: { endpoint_id: string }): Promise<AttemptedDue> =>
      withHeartbeat(async (cancelled) => {
        const run = await silentPlaces.run(endpoint_id, () =>
          runRetries(deps, endpoint_id, { stop, cancelled }),
        );
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

/** Where nothing was attempted of what is due, though it could be, the workflow is to come back. */
const nextDueIn = (
  { next_due_in_ms, is_open }: RetryState,
  attempted: number,
  minMs: number,
): number | null =>
  next_due_in_ms === null || attempted > 0 || !is_open ? next_due_in_ms : Math.max(next_due_in_ms, minMs);
