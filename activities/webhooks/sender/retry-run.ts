import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { claimRetried } from '../../../db/webhooks/delivery-retries';
import type { ClaimedDelivery } from '../../../db/webhooks/deliveries';
import { recordOutcomes, releaseDeliveries, takeBackRetried } from '../../../db/webhooks/delivery-outcomes';
import type { RecordedEndpoint } from '../../../db/webhooks/delivery-outcomes';
import { endRetrying, findHeldUp, holdRetries } from '../../../db/webhooks/retries';
import type { Database } from '../../../db/platform/database';
import type { WebhookPost } from '../../providers/webhook-post';
import { attemptDelivery } from './attempt';
import type { AttemptEnd } from './attempt';
import type { EndpointMemory } from './endpoint-memory';
import type { SenderMetrics } from './metrics';

export type RetryRunDeps = {
  database: Pick<Database, 'writeAsWorker' | 'queryAsWorker'>;
  endpoints: EndpointMemory;
  post: Pick<WebhookPost, 'post'>;
  metrics: Pick<SenderMetrics, 'countAttempt' | 'countFenced'>;
};

export type RetryRunSignals = {
  /** Claims no more; what is under way ends. */
  stop: AbortSignal;
  /** Ends what is under way, as `worker_lost`. */
  cancelled: AbortSignal;
};

/** What a run did; counts are of attempts. */
export type RetryRunSum = {
  attempted: number;
  acknowledged: number;
  failed: number;
  gave_up: number;
  /** The last failure by its status or kind; null: none, or the last attempt was acknowledged. */
  last: string | null;
  /** An attempt has met with silence. */
  is_silent: boolean;
};

/** The sum of a run that attempted nothing. */
export const nothingAttempted: Readonly<RetryRunSum> = {
  attempted: 0,
  acknowledged: 0,
  failed: 0,
  gave_up: 0,
  last: null,
  is_silent: false,
};

/** Calls at a time; the sender's loop keeps to one meanwhile. */
const retrySlots = 4;
/** A run that died gives the loop its slots back so soon; one that lives says so more often. */
const holdSeconds = 15;
const holdAgainMs = 5_000;
/** A run that has worked for so long answers, so that its workflow shows where it is. */
const longEnoughMs = 30_000;
const heldUpMs = 200;

/**
 * Attempts what is due of the endpoint's retries until nothing is, for some time, or until an attempt meets with silence:
 * the workflow comes back. Nothing is in its hand but what it sends: each claim looks at the endpoint, so a pause, a new
 * URL or the end of it holds from the next call on. Takes back first what an earlier run held, each with an attempt of
 * outcome `worker_lost`.
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
  // Sent, and not on record: the next run takes it back.
  const unrecorded = new Set<string>();
  const attempt = async (delivery: ClaimedDelivery): Promise<void> => {
    unrecorded.add(delivery.id);
    const end = await attemptDelivery(delivery, endpoints.find(endpointId), deps.post, cancelled);
    sum.is_silent ||= end.outcome.outcome === 'timeout';
    const recorded = await record(deps, owner, end);
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
    await database.queryAsWorker(takeBackRetried(owner, endpointId));
    while (mayClaim()) {
      calls.watch();
      const claimed = await database.queryAsWorker(
        claimRetried({
          owner,
          endpointId,
          slots: retrySlots,
          inFlight: calls.count(),
          until: hold.until() ?? null,
        }),
      );
      await endpoints.learn(claimed);
      if (!mayClaim()) {
        // Unsent: it counts as no attempt.
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
    await database.queryAsWorker(releaseDeliveries(owner, [...unrecorded]));
    await hold.end();
  }
  return sum;
}

/** The run's share of the endpoint, while no other run has followed it. */
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
    /** Undefined when it is another run's, or the endpoint is not there. */
    until: () => until,
    /** Says so again when it is time. While the database is away the run goes on with what is under way. */
    again: async (): Promise<void> => {
      if (until !== undefined && performance.now() - heldAt >= holdAgainMs)
        await say().catch(() => undefined);
    },
    end: async (): Promise<void> => {
      if (until !== undefined) await database.queryAsWorker(endRetrying(endpointId, until));
    },
  };
}

/** What is under way. */
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
    /** From now on an end is one that `oneHasEnded` tells of. */
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

async function record(
  { database, metrics }: RetryRunDeps,
  owner: string,
  end: AttemptEnd,
): Promise<RecordedEndpoint | undefined> {
  const outcome = { ...end.outcome, since_ms: performance.now() - end.startedAt };
  const [recorded] = await database.queryAsWorker(recordOutcomes(owner, [outcome]));
  if (recorded) metrics.countAttempt(end);
  else metrics.countFenced(1);
  return recorded;
}

function add(sum: RetryRunSum, end: AttemptEnd, { acknowledged, gave_up }: RecordedEndpoint): void {
  sum.attempted += 1;
  sum.acknowledged += acknowledged;
  sum.failed += 1 - acknowledged;
  sum.gave_up += gave_up;
  sum.last = acknowledged > 0 ? null : describe(end);
}

/** Never a body: this is shown where everybody who operates Temporal reads. */
const describe = ({ outcome: { outcome, status } }: AttemptEnd): string =>
  outcome === 'refused' ? `HTTP ${status}` : outcome.replace('_', ' ');
