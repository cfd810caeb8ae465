import { randomUUID } from 'node:crypto';
import { claimRetried } from '../db/deliveries';
import type { ClaimedDelivery } from '../db/deliveries';
import { recordOutcomes, releaseDeliveries, takeBackRetried } from '../db/delivery-outcomes';
import type { RecordedEndpoint } from '../db/delivery-outcomes';
import { beginRetrying, endRetrying, findRetries } from '../db/retries';
import type { RetryState } from '../db/retries';
import type { Database } from '../db/scope';
import { withHeartbeat } from './heartbeat';
import type { WebhookPost } from './providers/webhook-post';
import { attemptDelivery } from './sender/attempt';
import type { AttemptEnd } from './sender/attempt';
import type { EndpointMemory } from './sender/endpoint-memory';
import type { SenderMetrics } from './sender/metrics';

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

export type WebhookDeps = {
  database: Pick<Database, 'asWorker' | 'hotAsWorker'>;
  endpoints: EndpointMemory;
  post: Pick<WebhookPost, 'post'>;
  metrics: Pick<SenderMetrics, 'countAttempt' | 'countFenced'>;
};

/** What one run of `attemptDue` did, and what it leaves. Counts are of attempts. */
export type AttemptedDue = {
  attempted: number;
  acknowledged: number;
  failed: number;
  gave_up: number;
  /** Deliveries that wait for another attempt. */
  waiting: number;
  /** Until the earliest of them, 0: now; null where none waits. */
  next_due_in_ms: number | null;
  paused_reason: string | null;
  /** The last failure by its status or kind; null: none, or the last attempt was acknowledged. */
  last: string | null;
};

/** Calls at a time; the sender's loop keeps to one meanwhile. */
const retrySlots = 4;
const chunkRows = 20;
/** A run that died gives the loop its slots back so soon; one that lives says so more often. */
const retryingSeconds = 15;
const sayPauseMs = 5_000;
/** A run that has worked for so long answers, so that its workflow shows where it is. */
const longEnoughMs = 30_000;

/** Activities of `webhookRetries`. */
export function createWebhookActivities(deps: WebhookDeps) {
  const { database } = deps;
  return {
    /**
     * Attempts what is due of the endpoint's retries, four at a time. Takes back first what an earlier run of it held, each
     * with an attempt of outcome `worker_lost`. Safe to run twice. When it is cancelled, what is under way is recorded as
     * `worker_lost`.
     */
    attemptDue: ({ endpoint_id }: { endpoint_id: string }): Promise<AttemptedDue> =>
      withHeartbeat(async (signal) => {
        const owner = randomUUID();
        const sum = { attempted: 0, acknowledged: 0, failed: 0, gave_up: 0 };
        let last: string | null = null;
        const until = performance.now() + longEnoughMs;
        const say = () =>
          database.hotAsWorker<{ slots: number }>(beginRetrying(endpoint_id, retrySlots, retryingSeconds));
        const [limit] = await say();
        const saying = setInterval(() => void say().catch(() => undefined), sayPauseMs);
        // Sent, and not on record: the next run takes it back.
        const open = new Set<string>();
        try {
          await database.hotAsWorker(takeBackRetried(owner, endpoint_id));
          while (!signal.aborted && performance.now() < until) {
            const claimed = await database.hotAsWorker<ClaimedDelivery>(
              claimRetried(owner, endpoint_id, chunkRows),
            );
            if (claimed.length === 0) break;
            await deps.endpoints.learn(claimed);
            const chunk = await attemptChunk(
              deps,
              { owner, slots: limit?.slots ?? 1, open },
              claimed,
              signal,
            );
            for (const key of ['attempted', 'acknowledged', 'failed', 'gave_up'] as const)
              sum[key] += chunk[key];
            last = chunk.last;
          }
        } finally {
          clearInterval(saying);
          await database.hotAsWorker(releaseDeliveries(owner, [...open]));
          await database.hotAsWorker(endRetrying(endpoint_id));
        }
        const [state] = await database.hotAsWorker<RetryState>(findRetries(endpoint_id));
        return {
          ...sum,
          waiting: state?.waiting ?? 0,
          next_due_in_ms: state?.next_due_in_ms ?? null,
          paused_reason: state?.paused_reason ?? null,
          last,
        };
      }),
  };
}

type ChunkSum = Pick<AttemptedDue, 'attempted' | 'acknowledged' | 'failed' | 'gave_up' | 'last'>;

type Hand = { owner: string; slots: number; open: Set<string> };

/** Sends the chunk by so many slots, and records each attempt when it has ended: a slow one keeps none waiting. */
async function attemptChunk(
  deps: WebhookDeps,
  { owner, slots, open }: Hand,
  claimed: readonly ClaimedDelivery[],
  signal: AbortSignal,
): Promise<ChunkSum> {
  const left = [...claimed];
  const sum: ChunkSum = { attempted: 0, acknowledged: 0, failed: 0, gave_up: 0, last: null };
  let isPaused = false;
  const work = async () => {
    while (!signal.aborted && !isPaused) {
      const delivery = left.shift();
      if (!delivery) return;
      open.add(delivery.id);
      const endpoint = deps.endpoints.find(delivery.endpoint_id);
      const end = await attemptDelivery(delivery, endpoint, deps.post, signal);
      const recorded = await record(deps, owner, end);
      open.delete(delivery.id);
      if (!recorded) continue;
      sum.attempted += 1;
      sum.acknowledged += recorded.acknowledged;
      sum.failed += 1 - recorded.acknowledged;
      sum.gave_up += recorded.gave_up;
      sum.last = recorded.acknowledged > 0 ? null : describe(end);
      isPaused ||= recorded.paused_reason !== null;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: slots }, work));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return sum;
}

async function record(
  { database, metrics }: WebhookDeps,
  owner: string,
  end: AttemptEnd,
): Promise<RecordedEndpoint | undefined> {
  const outcome = { ...end.outcome, since_ms: performance.now() - end.startedAt };
  const [recorded] = await database.hotAsWorker<RecordedEndpoint>(recordOutcomes(owner, [outcome]));
  if (recorded) metrics.countAttempt(end);
  else metrics.countFenced(1);
  return recorded;
}

/** Never a body: this is shown where everybody who operates the engine reads. */
const describe = ({ outcome: { outcome, status } }: AttemptEnd): string =>
  outcome === 'refused' ? `HTTP ${status}` : outcome.replace('_', ' ');
