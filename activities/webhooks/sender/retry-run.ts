import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../../db/platform/database';
import type { ClaimedDelivery } from '../../../db/webhooks/deliveries';
import { releaseDeliveries, reclaimRetried } from '../../../db/webhooks/delivery-outcomes';
import type { RecordedEndpoint } from '../../../db/webhooks/delivery-outcomes';
import { claimRetried } from '../../../db/webhooks/delivery-retries';
import { endRetrying, findHeldUp, holdRetries } from '../../../db/webhooks/retries';
import type { WebhookPost } from '../../providers/webhook-post';
import { attemptDelivery } from './attempt';
import type { AttemptEnd } from './attempt';
import type { EndpointMemory } from './endpoint-memory';
import type { SenderMetrics } from './metrics';
import { recordAll } from './recorder';

export type RetryRunDeps = {
  database: Pick<Database, 'writeAsWorker' | 'queryAsWorker'>;
  endpoints: EndpointMemory;
  post: Pick<WebhookPost, 'post'>;
  metrics: Pick<SenderMetrics, 'countAttempt' | 'countFenced'>;
};

type RetryRunSignals = {
  /** Stops the claiming of further deliveries. Requests in flight continue until they end. */
  stop: AbortSignal;
  /** Aborts the requests in flight, which are then recorded as `worker_lost`. */
  cancelled: AbortSignal;
};

/** The result of a retry run. The numbers count attempts. */
export type RetryRunSum = {
  attempted: number;
  acknowledged: number;
  failed: number;
  gave_up: number;
  /** The status or kind of the last failure. It is null if there was none or the last attempt was acknowledged. */
  last: string | null;
  /** True if an attempt timed out. */
  is_silent: boolean;
};

/** The result of a retry run without attempts. */
export const nothingAttempted: Readonly<RetryRunSum> = {
  attempted: 0,
  acknowledged: 0,
  failed: 0,
  gave_up: 0,
  last: null,
  is_silent: false,
};

/**
 * The maximum number of requests that a retry run has in flight. During the run, the sender has at most one request
 * to the endpoint in flight.
 */
const maxCalls = 4;
/**
 * A retry run reserves its endpoint for this time (`createHold`) and renews the reservation every `holdAgainMs`. If
 * the run dies, senders may use the endpoint's full concurrency limit again when the reservation has ended.
 */
const holdSeconds = 15;
const holdAgainMs = 5_000;
/** A retry run ends after this time, so that its workflow can show the progress. */
const longEnoughMs = 30_000;
const heldUpMs = 200;
/**
 * A retry run stops recording outcomes this long after its start, because its activity times out after ten minutes.
 * After a cancellation, recording stops within `recordWhenCancelledMs`, because another run replaces the cancelled
 * one or its worker shuts down.
 */
const recordForMs = 9 * 60_000;
const recordWhenCancelledMs = 10_000;

/**
 * Attempts the endpoint's due retries until none is left, `longEnoughMs` have passed or an attempt times out. First,
 * if an earlier retry run died, records its attempts as `worker_lost`. Each claim leases only what can be sent
 * immediately and reads the endpoint again, so that a pause or a new URL applies to the next request.
 */
export async function runRetries(
  deps: RetryRunDeps,
  endpointId: string,
  { stop, cancelled }: RetryRunSignals,
): Promise<RetryRunSum> {
  const { database, endpoints } = deps;
  const owner = randomUUID();
  const sum = { ...nothingAttempted };
  const until = performance.now() + longEnoughMs;
  const hold = createHold(database, endpointId);
  const calls = createCalls();
  const recording = createTimeLimit(recordForMs);
  const hurry = () => recording.shorten(recordWhenCancelledMs);
  cancelled.addEventListener('abort', hurry);
  // Ids of deliveries that were sent but are not recorded yet. If they are never recorded, the next retry run
  // reclaims them.
  const unrecorded = new Set<string>();
  const attempt = async (delivery: ClaimedDelivery): Promise<void> => {
    unrecorded.add(delivery.id);
    const end = await attemptDelivery(delivery, endpoints.find(endpointId), deps.post, cancelled);
    sum.is_silent ||= end.outcome.outcome === 'timeout';
    const recorded = await record(deps, owner, end, recording.over);
    unrecorded.delete(delivery.id);
    if (recorded) add(sum, end, recorded);
  };
  const mayClaim = () =>
    !stop.aborted &&
    !cancelled.aborted &&
    !sum.is_silent &&
    !calls.haveFailed() &&
    hold.until() !== undefined &&
    performance.now() < until;

  try {
    await hold.begin();
    await database.queryAsWorker(reclaimRetried(owner, endpointId));
    while (mayClaim()) {
      calls.watch();
      const claimed = await database.queryAsWorker(
        claimRetried({
          owner,
          endpointId,
          limit: maxCalls,
          inFlight: calls.count(),
          until: hold.until() ?? null,
        }),
      );
      await endpoints.learn(claimed);
      if (!mayClaim()) {
        // The claimed deliveries were not sent, so their leases are released without counting an attempt.
        await database.queryAsWorker(releaseDeliveries(owner, [...unrecorded]));
        break;
      }
      for (const delivery of claimed) calls.begin(attempt(delivery));
      if (calls.count() > 0) await calls.oneHasEnded(holdAgainMs);
      else if ((await database.queryAsWorker(findHeldUp(endpointId))).length > 0) await wait(heldUpMs);
      else break;
      await hold.again();
    }
    while (calls.count() > 0) {
      calls.watch();
      await hold.again();
      await calls.oneHasEnded(holdAgainMs);
    }
    calls.throwFailure();
  } finally {
    await calls.allHaveEnded();
    cancelled.removeEventListener('abort', hurry);
    recording.end();
    await database.queryAsWorker(releaseDeliveries(owner, [...unrecorded]));
    await hold.end();
  }
  return sum;
}

/**
 * Reserves the endpoint for this retry run. Meanwhile, the sender has at most one request to the endpoint in flight.
 * The reservation ends after `holdSeconds` without renewal, or when another retry run reserves the endpoint.
 */
function createHold(database: RetryRunDeps['database'], endpointId: string) {
  let until: string | undefined;
  let heldAt = 0;
  const say = async (): Promise<void> => {
    const [held] = await database.queryAsWorker(holdRetries(endpointId, holdSeconds, until ?? null));
    until = held?.until;
    heldAt = performance.now();
  };
  return {
    begin: say,
    /**
     * Returns the end of the reservation. Returns undefined if another retry run has reserved the endpoint, or if the
     * endpoint does not exist.
     */
    until: () => until,
    /**
     * Renews the reservation if `holdAgainMs` have passed. Ignores errors, so that the retry run waits for its
     * requests in flight even if the database is unavailable.
     */
    again: async (): Promise<void> => {
      if (until !== undefined && performance.now() - heldAt >= holdAgainMs)
        await say().catch(() => undefined);
    },
    end: async (): Promise<void> => {
      if (until !== undefined) await database.queryAsWorker(endRetrying(endpointId, until));
    },
  };
}

/** Counts the requests in flight and waits for them. */
function createCalls() {
  const underWay = new Set<Promise<void>>();
  let failure: { reason: unknown } | undefined;
  let hasEnded = false;
  let wake = () => {};
  return {
    count: () => underWay.size,
    haveFailed: () => failure !== undefined,
    throwFailure: () => {
      if (failure) throw failure.reason;
    },
    begin: (work: Promise<void>): void => {
      const call = work
        .catch((reason: unknown) => {
          failure ??= { reason };
        })
        .finally(() => {
          underWay.delete(call);
          hasEnded = true;
          wake();
        });
      underWay.add(call);
    },
    /** Makes `oneHasEnded` ignore requests that have already ended. */
    watch: () => {
      hasEnded = false;
    },
    oneHasEnded: (limitMs: number): Promise<void> =>
      new Promise((resolve) => {
        if (hasEnded) return resolve();
        const timer = setTimeout(resolve, limitMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    allHaveEnded: () => Promise.all(underWay),
  };
}

/** Creates a signal that aborts after a time. The timer does not keep the process running. */
function createTimeLimit(ms: number) {
  const limit = new AbortController();
  const abort = () => limit.abort();
  let timer = setTimeout(abort, ms).unref();
  const end = () => clearTimeout(timer);
  return {
    over: limit.signal,
    shorten: (toMs: number): void => {
      end();
      timer = setTimeout(abort, toMs).unref();
    },
    end,
  };
}

/**
 * Records an outcome as the sender does, but retries only until `over` aborts. Returns undefined if the delivery was
 * reclaimed. Throws if the outcome was not recorded; the next retry run then reclaims the delivery.
 */
async function record(
  { database, metrics }: RetryRunDeps,
  owner: string,
  end: AttemptEnd,
  over: AbortSignal,
): Promise<RecordedEndpoint | undefined> {
  let result: { recorded: RecordedEndpoint | undefined } | undefined;
  let lastError: unknown;
  const onRecorded = ([recorded]: RecordedEndpoint[]) => {
    result = { recorded };
  };
  const onError = (error: unknown) => {
    lastError = error;
  };
  await recordAll({ database, owner, onRecorded, onError }, [end], over);
  if (!result) throw lastError ?? new Error('the outcome was not recorded in time');
  if (result.recorded) metrics.countAttempt(end);
  else metrics.countFenced(1);
  return result.recorded;
}

function add(sum: RetryRunSum, end: AttemptEnd, { acknowledged, gave_up }: RecordedEndpoint): void {
  sum.attempted += 1;
  sum.acknowledged += acknowledged;
  sum.failed += 1 - acknowledged;
  sum.gave_up += gave_up;
  sum.last = acknowledged > 0 ? null : describe(end);
}

/** Describes an outcome without any part of a body, because everyone who operates Temporal can read the description. */
const describe = ({ outcome: { outcome, status } }: AttemptEnd): string =>
  outcome === 'refused' ? `HTTP ${status}` : outcome.replace('_', ' ');
