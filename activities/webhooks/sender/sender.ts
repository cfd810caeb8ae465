import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../../db/platform/database';
import type { LeasedDelivery } from '../../../db/webhooks/deliveries';
import { reclaimDeliveries } from '../../../db/webhooks/delivery-outcomes';
import { endLease, setIdle } from '../../../db/webhooks/sender-shards';
import type { WebhookPost } from '../../providers/webhook-post';
import type { SenderMetrics } from '../webhook-metrics';
import { attemptDelivery } from './attempt';
import type { EndpointLoad } from './call-plan';
import { createCalls } from './calls';
import { createDueEndpoints } from './due-endpoints';
import type { SenderScope } from './due-endpoints';
import type { EndpointCache } from './endpoint-cache';
import { concurrency, lifetime, polling, recording } from './limits';
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

/** Creates the sender of one shard (docs/webhooks.md#the-sender). */
export function createSender(deps: SenderDeps, scope: SenderScope) {
  const { database, endpoints, metrics, log } = deps;
  const calls = createCalls();
  const due = createDueEndpoints(database, scope, calls);
  const abandon = new AbortController();
  let wakeUp = () => {};
  /** True if the sender does not poll but waits for a notification or the end of a request. */
  let isIdle = false;
  let wasAtCapacity = false;
  /** True if new deliveries have been announced since the last scan. */
  let isNotified = true;
  let reclaimedAt = -Infinity;
  const recorder = createRecorder({
    database,
    onRecorded: (recorded, ends) => {
      for (const end of ends) metrics.countAttempt(end);
      const fenced = recorded.reduce((left, endpoint) => left - endpoint.recorded, ends.length);
      if (fenced > 0) metrics.countFenced(fenced);
      if (isIdle) wakeUp();
    },
    log,
  });
  const capacity = () =>
    Math.min(
      concurrency.window - calls.inWindow(),
      recording.maxUnrecorded - calls.inWindow() - recorder.unrecorded(),
    );
  /** Returns the deliveries that this sender works on. A lease ends its leases of all other deliveries. */
  const held = () => [...calls.deliveries(), ...recorder.unrecordedDeliveries()];
  const setIsIdle = async (value: boolean) => {
    isIdle = value;
    await database.queryAsWorker(setIdle(scope.shard, scope.owner, value));
  };

  /** Waits until `wakeUp` is called, but no longer than `ms`. */
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => wakeUp(), ms);
      wakeUp = () => {
        clearTimeout(timer);
        wakeUp = () => {};
        resolve();
      };
    });

  /** Reclaims the leases of dead senders. Errors are logged only, so that other deliveries are sent. */
  const reclaim = async () => {
    if (performance.now() - reclaimedAt < polling.reclaimMs) return;
    reclaimedAt = performance.now();
    await database
      .queryAsWorker(reclaimDeliveries(scope.owner))
      .catch((err: unknown) => log.warn({ err }, 'failed to reclaim deliveries of a dead sender'));
  };

  const send = async (delivery: LeasedDelivery, receiver: EndpointLoad) => {
    const call = calls.begin(delivery, receiver);
    const end = await attemptDelivery(delivery, endpoints.find(receiver.id), deps.post, abandon.signal);
    calls.end(call, end.outcome);
    recorder.add(end);
  };

  /** Leases deliveries once and starts to send them. Returns `full` if they used all capacity. */
  const sendDue = async (signal: AbortSignal): Promise<'full' | 'some' | 'none'> => {
    await reclaim();
    const notified = isNotified;
    isNotified = false;
    await due.scan(notified, wasAtCapacity);
    calls.age();
    const limit = capacity();
    if (limit <= 0) return 'full';
    const leased = await due.lease(limit, held);
    if (leased.length === 0) return 'none';
    await endpoints.load(leased.map(({ delivery }) => delivery));
    // If the sender is stopping, the deliveries are not sent. Their leases end with the next lease or with the sender.
    if (signal.aborted) return 'none';
    for (const { delivery, receiver } of leased) void send(delivery, receiver);
    return leased.length >= limit ? 'full' : 'some';
  };

  return {
    /** Announces that there are new deliveries. */
    wake: () => {
      isNotified = true;
      wakeUp();
    },

    /** Sends until the signal aborts. Requests in flight continue after that. */
    async run(signal: AbortSignal): Promise<void> {
      let busyAt = performance.now();
      isIdle = false;
      signal.addEventListener('abort', () => wakeUp(), { once: true });
      while (!signal.aborted) {
        try {
          const found = await sendDue(signal);
          metrics.setInFlight(scope.shard, calls.inFlight(), calls.bytes() + recorder.unrecordedBytes());
          if (found !== 'none') busyAt = performance.now();
          if (isIdle && found !== 'none') await setIsIdle(false);
          else if (!isIdle && performance.now() - busyAt > polling.idleAfterMs) {
            await setIsIdle(true);
            // Deliveries that were created just before the shard was marked as idle sent no notification.
            isNotified = true;
          }
          wasAtCapacity = found === 'full';
          // A busy sender looks again within milliseconds in any case.
          if ((isNotified && isIdle) || signal.aborted) continue;
          const idleMs = due.isWaiting() ? polling.waitingMs : polling.backstopMs;
          await pause(isIdle && !due.isScanning() ? idleMs : polling.pollMs);
        } catch (err) {
          log.warn({ err }, 'failed to lease webhook deliveries');
          await wait(polling.errorMs, undefined, { signal }).catch(() => undefined);
        }
      }
    },

    /**
     * Waits for the requests in flight, aborts those that are still in flight after `graceMs`, and records the outcomes
     * of all.
     */
    async finish(graceMs: number): Promise<void> {
      const until = performance.now() + graceMs;
      await setIsIdle(false).catch(() => undefined);
      while (calls.inFlight() > 0 && performance.now() < until)
        await wait(Math.min(lifetime.finishPollMs, until - performance.now()));
      abandon.abort();
      while (calls.inFlight() > 0) await wait(1);
      const flushed = new AbortController();
      const tooLate = wait(lifetime.finishMs, undefined, { signal: flushed.signal }).catch(() => undefined);
      await Promise.race([recorder.flush(), tooLate]);
      flushed.abort();
      // Ends the leases of deliveries that were not sent, so that the next owner reclaims only those that were sent but
      // not recorded.
      await database.queryAsWorker(endLease(scope.owner, held())).catch(() => undefined);
      recorder.discard();
    },

    /** Aborts all requests and records nothing, because another owner has the shard. */
    discard(): void {
      recorder.discard();
      abandon.abort();
    },
  };
}
