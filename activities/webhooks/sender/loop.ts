import { setTimeout as wait } from 'node:timers/promises';
import type { RecordedEndpoint } from '../../../db/webhooks/delivery-outcomes';
import { reclaimQueued } from '../../../db/webhooks/delivery-outcomes';
import { endLease, setIdle } from '../../../db/webhooks/sender-shards';
import { attemptDelivery } from './attempt';
import type { AttemptEnd } from './attempt';
import { createQueue } from './queue';
import type { ClaimScope, Fetched } from './queue';
import { createRecorder } from './recorder';
import { createRule, windowCalls } from './rule';
import type { SenderDeps } from './sender-deps';

/**
 * The maximum number of unrecorded deliveries: those in flight in the lane `window` (rule.ts), and those whose
 * response is not recorded yet. After a crash, each of them may be sent again.
 */
export const maxUnrecorded = 200;
/**
 * After a claim that used all capacity, the sender claims again when it has capacity for this many deliveries, or
 * after `pollMs` at the latest.
 */
const worthClaiming = 40;
const pollMs = 3;
const idleAfterMs = 50;
const backstopMs = 1_000;
/** The pause of an idle sender while there are due deliveries that the rule does not allow it to send yet. */
const waitingMs = 100;
const reclaimMs = 2_000;
const awayMs = 250;

export type Loop = ReturnType<typeof createLoop>;

/** Creates the sender of one shard (docs/webhooks.md#the-sender). */
export function createLoop(deps: SenderDeps, scope: ClaimScope) {
  const { database, endpoints, metrics, log } = deps;
  const rule = createRule();
  const queue = createQueue(database, scope, rule);
  const abandon = new AbortController();
  let wakeUp: (() => void) | undefined;
  /**
   * True if the end of a request should start a claim: the last claim used all capacity, or the sender is idle and does
   * not poll.
   */
  let wantsCapacity = false;
  let wasFull = false;
  /** True if new deliveries have been announced since the sender last looked for deliveries. */
  let isNotified = true;
  let reclaimedAt = -Infinity;
  const wake = () => wakeUp?.();
  const recorder = createRecorder({
    database,
    onRecorded: (recorded, ends) => {
      report(deps, recorded, ends);
      if (wantsCapacity) wake();
    },
    onError: (err) => log.warn({ err }, 'failed to record webhook attempts'),
    onAbandoned: (delivery_id) =>
      log.error({ delivery_id }, 'gave up recording a webhook attempt: it counts as lost'),
  });
  const send = async ({ delivery, receiver }: Fetched) => {
    const endpoint = endpoints.find(delivery.endpoint_id);
    const call = rule.begin(delivery, receiver);
    const end = await attemptDelivery(delivery, endpoint, deps.post, abandon.signal);
    rule.end(call, end.outcome.outcome, end.outcome.status);
    recorder.add(end);
    if (wantsCapacity && capacity() >= worthClaiming) wake();
  };
  const capacity = () =>
    Math.min(windowCalls - rule.inWindow(), maxUnrecorded - rule.inWindow() - recorder.unrecorded());
  /**
   * Returns the deliveries that this sender still works on. A claim ends this sender's leases of all other
   * deliveries. If the result of a claim gets lost, the next claim therefore ends the leases that the lost claim
   * began.
   */
  const held = () => [...rule.deliveries(), ...recorder.unrecordedDeliveries()];
  /** Waits until `wake` is called, but no longer than `ms`. */
  const pause = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        wakeUp = undefined;
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done, { once: true });
      wakeUp = done;
      if (signal.aborted) done();
    });
  const isIdle = (idle: boolean) => database.queryAsWorker(setIdle(scope.shard, scope.owner, idle));

  /**
   * Reclaims the leases of dead senders, at most once per `reclaimMs`. Errors are logged only, so that other deliveries
   * are sent.
   */
  const reclaim = async () => {
    if (performance.now() - reclaimedAt < reclaimMs) return;
    reclaimedAt = performance.now();
    await database
      .queryAsWorker(reclaimQueued(scope.owner))
      .catch((err: unknown) => log.warn({ err }, 'failed to reclaim deliveries of a dead sender'));
  };

  /**
   * Claims deliveries once and starts to send them. Returns `full` if the deliveries used all capacity, and `none` if
   * there were no deliveries.
   */
  const turn = async (signal: AbortSignal): Promise<'full' | 'some' | 'none'> => {
    await reclaim();
    const notified = isNotified;
    isNotified = false;
    await queue.look(notified, wasFull);
    rule.age();
    const limit = capacity();
    if (limit <= 0) return 'full';
    const fetched = await queue.claim(limit, held);
    if (fetched.length === 0) return 'none';
    await endpoints.learn(fetched.map(({ delivery }) => delivery));
    // If the sender is stopping, the claimed deliveries are not sent. Their leases end with the next claim or when
    // the sender ends.
    if (signal.aborted) return 'none';
    for (const one of fetched) void send(one);
    return fetched.length >= limit ? 'full' : 'some';
  };

  return {
    /** Announces that there are new deliveries. */
    wake: () => {
      isNotified = true;
      wake();
    },

    /** Sends until the signal aborts. Requests in flight continue after that. */
    async run(signal: AbortSignal): Promise<void> {
      let busyAt = performance.now();
      let idle = false;
      while (!signal.aborted) {
        try {
          const found = await turn(signal);
          metrics.setInFlight(
            scope.shard,
            rule.inFlight(),
            rule.bytesInFlight() + recorder.unrecordedBytes(),
          );
          if (found !== 'none') busyAt = performance.now();
          if (idle && found !== 'none') await isIdle((idle = false));
          else if (!idle && performance.now() - busyAt > idleAfterMs) {
            await isIdle((idle = true));
            // The sender looks for deliveries once more: deliveries that were created just before the shard was
            // marked as idle sent no notification.
            isNotified = true;
          }
          wasFull = found === 'full';
          wantsCapacity = idle || wasFull;
          if (isNotified && idle) continue;
          const idleMs = queue.isWaiting() ? waitingMs : backstopMs;
          const pauseMs = idle && !queue.isScanning() ? idleMs : pollMs;
          if (!wasFull || capacity() < worthClaiming) await pause(pauseMs, signal);
        } catch (err) {
          log.warn({ err }, 'failed to claim webhook deliveries');
          await wait(awayMs, undefined, { signal }).catch(() => undefined);
        }
      }
    },

    /**
     * Waits for the requests in flight, aborts those that are still in flight after `graceMs`, and records the
     * outcomes of all.
     */
    async finish(graceMs: number): Promise<void> {
      const until = performance.now() + graceMs;
      await database.queryAsWorker(setIdle(scope.shard, scope.owner, false)).catch(() => undefined);
      while (rule.inFlight() > 0 && performance.now() < until)
        await pause(Math.min(100, until - performance.now()), neverAborted);
      abandon.abort();
      while (rule.inFlight() > 0) await wait(1);
      const flushed = new AbortController();
      const tooLate = wait(finishMs, undefined, { signal: flushed.signal }).catch(() => undefined);
      await Promise.race([recorder.flush(), tooLate]);
      flushed.abort();
      // Releases the leases of all deliveries that were not sent, so that the next owner reclaims only deliveries
      // that were sent but not recorded.
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

const finishMs = 5_000;
const neverAborted = new AbortController().signal;

function report(
  { signal, metrics }: SenderDeps,
  recorded: RecordedEndpoint[],
  ends: readonly AttemptEnd[],
): void {
  for (const end of ends) metrics.countAttempt(end);
  let fenced = ends.length;
  for (const endpoint of recorded) {
    fenced -= endpoint.recorded;
    if (endpoint.retried > 0) signal(endpoint);
  }
  if (fenced > 0) metrics.countFenced(fenced);
}
