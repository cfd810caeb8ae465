import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../../db/platform/database';
import type { LeasedDelivery } from '../../../db/webhooks/deliveries';
import { reclaimDeliveries } from '../../../db/webhooks/delivery-outcomes';
import { endLease, setIdle } from '../../../db/webhooks/sender-shards';
import { createLoopWaker, runLoop } from '../../platform/loop';
import type { WebhookPost } from '../../providers/webhook-post';
import type { SenderMetrics } from '../webhook-metrics';
import { attemptDelivery } from './attempt';
import { createCalls } from './calls';
import { createDueEndpoints } from './due-endpoints';
import type { SenderShard } from './due-endpoints';
import type { EndpointCache } from './endpoint-cache';
import { finishMs, polling, retryMs } from './limits';
import { createRecorder } from './recorder';

export type SenderDeps = {
  database: Pick<Database, 'writeAsWorker' | 'queryAsWorker'>;
  /** The direct address of Postgres, for the connections that hold the shard locks. */
  directUrl: string;
  endpoints: EndpointCache;
  post: Pick<WebhookPost, 'post'>;
  metrics: SenderMetrics;
  log: Logger;
  /** The milliseconds that requests in flight may take at shutdown. */
  graceMs: number;
};
export type Sender = ReturnType<typeof createSender>;

/**
 * Creates the sender of one shard (docs/webhooks.md#the-sender): it scans for endpoints with due deliveries, leases as many
 * as `calls` plans, sends them and records the outcomes.
 */
export function createSender(deps: SenderDeps, scope: SenderShard) {
  const { database, endpoints, metrics, log } = deps;
  const calls = createCalls();
  const due = createDueEndpoints(database, scope, calls);
  const abandon = new AbortController();
  const alarm = createLoopWaker();
  /** True if the sender does not poll but waits for a notification or the end of a request. */
  let isIdle = false;
  const recorder = createRecorder(database, log, (ends, recorded) => {
    for (const end of ends) metrics.countAttempt(end);
    metrics.countFenced(ends.length - recorded);
    if (isIdle) alarm.ring();
  });
  /** The deliveries that this sender works on. Every new lease lists these and the new ones, and drops all others. */
  const held = () => [...calls.deliveries(), ...recorder.unrecorded()];
  const setIsIdle = async (value: boolean) => {
    isIdle = value;
    await database.queryAsWorker(setIdle(scope.shard, scope.owner, value));
  };

  const send = async (delivery: LeasedDelivery) => {
    const call = calls.begin(delivery);
    const endpoint = endpoints.find(delivery.endpoint_id);
    const end = await attemptDelivery(delivery, endpoint, deps.post, abandon.signal);
    calls.end(call, end.result.outcome, end.result.status);
    recorder.add(end);
  };

  /** Leases due deliveries and starts to send them. Returns true if there were any. */
  const sendDue = async (signal: AbortSignal, scansNow: boolean): Promise<boolean> => {
    await due.scan(scansNow);
    const leased = await due.lease(recorder.unrecorded().length, held);
    await endpoints.load(leased);
    // If the sender is stopping, the deliveries are not sent. Their leases end with the next lease or with the sender.
    if (!signal.aborted) for (const delivery of leased) void send(delivery);
    return leased.length > 0;
  };

  /** Sends until the signal aborts, in turns: after each one, a busy sender pauses briefly, and an idle one listens. */
  const sendAll = async (signal: AbortSignal) => {
    let busyAt = performance.now();
    let scansNow = true;
    isIdle = false;
    signal.addEventListener('abort', alarm.ring, { once: true });
    while (!signal.aborted) {
      const woken = alarm.next();
      try {
        if (await sendDue(signal, scansNow)) busyAt = performance.now();
        metrics.setInFlight(scope.shard, calls.inFlight(), calls.bytes() + recorder.unrecordedBytes());
        const isQuiet = performance.now() - busyAt > polling.idleAfterMs;
        // Deliveries created just before `setIsIdle` sent no notification, so scan once more before listening.
        scansNow = isQuiet && !isIdle;
        if (isQuiet !== isIdle) await setIsIdle(isQuiet);
        if (scansNow) continue;
        if (!isIdle || due.isScanning()) await wait(polling.pollMs);
        else await wait(polling.backstopMs, undefined, { signal: woken }).catch(() => (scansNow = true));
      } catch (err) {
        log.warn({ err }, 'failed to lease webhook deliveries');
        await wait(retryMs, undefined, { signal }).catch(() => undefined);
      }
    }
  };

  return {
    /** Announces that there are new deliveries. */
    wake: alarm.ring,

    /** Sends, and reclaims the leases of dead senders, until the signal aborts. Requests in flight continue after that. */
    async run(signal: AbortSignal): Promise<void> {
      const reclaim = () => database.queryAsWorker(reclaimDeliveries(scope.owner));
      const onError = (err: unknown) => log.warn({ err }, 'failed to reclaim deliveries of a dead sender');
      const reclaiming = runLoop(reclaim, { pauseMs: polling.reclaimMs, signal, onError });
      await Promise.all([sendAll(signal), reclaiming]);
    },

    /**
     * Waits for the requests in flight, aborts those that are still in flight after `graceMs`, and records the outcomes
     * of all, as far as that takes no longer than `finishMs`.
     */
    async finish(): Promise<void> {
      await setIsIdle(false).catch(() => undefined);
      await waitUntil(() => calls.inFlight() === 0, deps.graceMs);
      abandon.abort();
      await waitUntil(() => held().length === 0, finishMs);
      // Ends the leases of deliveries that were not sent, so that only those that were sent but not recorded are
      // reclaimed.
      await database.queryAsWorker(endLease(scope.owner, held())).catch(() => undefined);
    },

    /** Aborts all requests and records nothing more, because the sender has ended or its lease was reclaimed. */
    discard(): void {
      recorder.discard();
      abandon.abort();
    },
  };
}

/** Waits until the condition is true, but no longer than `ms`. */
async function waitUntil(isSo: () => boolean, ms: number): Promise<void> {
  for (const until = performance.now() + ms; !isSo() && performance.now() < until;) await wait(10);
}
