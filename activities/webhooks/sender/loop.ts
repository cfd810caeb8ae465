import { setTimeout as wait } from 'node:timers/promises';
import type { ClaimedDelivery } from '../../../db/webhooks/deliveries';
import type { RecordedEndpoint } from '../../../db/webhooks/delivery-outcomes';
import { leaveShard, setIdle } from '../../../db/webhooks/sender-shards';
import { attemptDelivery } from './attempt';
import type { AttemptEnd } from './attempt';
import { createClaims } from './claims';
import type { ClaimScope } from './claims';
import { createRecorder } from './recorder';
import type { SenderDeps } from './sender-deps';
import { claimBytes, createSlots, windowBytes, windowCalls } from './slots';

/**
 * Limits the deliveries of the window that are in flight or sent but not yet recorded. A crash may send these again.
 */
export const maxUnrecorded = 200;
/** A claim that could take fewer deliveries waits for more capacity, but no longer than a poll waits. */
const worthClaiming = 40;
const pollMs = 3;
const idleAfterMs = 50;
const backstopMs = 1_000;
const awayMs = 250;

export type Loop = ReturnType<typeof createLoop>;

/** Creates the sender of one shard (docs/webhooks.md#the-sender). */
export function createLoop(deps: SenderDeps, scope: ClaimScope) {
  const { database, endpoints, metrics, log } = deps;
  const slots = createSlots();
  const abandon = new AbortController();
  const claims = createClaims(database, scope);
  let wakeUp: (() => void) | undefined;
  /**
   * Whether the end of a request should start a claim: the last claim used all capacity, or the sender is idle and
   * does not poll.
   */
  let wantsRoom = false;
  /** Whether new deliveries were announced since the last turn began. */
  let isTold = false;
  const wake = () => wakeUp?.();
  const recorder = createRecorder({
    database,
    onRecorded: (recorded, ends) => {
      tell(deps, recorded, ends);
      if (wantsRoom) wake();
    },
    onError: (err) => log.warn({ err }, 'webhook attempts wait to be recorded'),
    onLetGo: (delivery_id) =>
      log.error({ delivery_id }, 'a webhook attempt cannot be recorded: it counts as lost'),
  });
  const send = async (delivery: ClaimedDelivery) => {
    const endpoint = endpoints.find(delivery.endpoint_id);
    const call = slots.begin(delivery, endpoint?.inFlightLimit ?? null);
    const end = await attemptDelivery(delivery, endpoint, deps.post, abandon.signal);
    slots.end(call, end.outcome.outcome, end.outcome.status);
    recorder.add(end);
    if (wantsRoom && room() >= worthClaiming) wake();
  };
  const room = () =>
    Math.min(windowCalls - slots.inWindow(), maxUnrecorded - slots.inWindow() - recorder.unrecorded());
  const roomBytes = () => windowBytes - slots.bytesInWindow() - recorder.unrecordedBytes();
  /**
   * The deliveries that this sender still leases. A claim ends the lease of every delivery that is not listed here,
   * so a claim whose result was lost has claimed nothing.
   */
  const held = () => [...slots.calls().map(({ delivery }) => delivery), ...recorder.unrecordedDeliveries()];
  /** Waits until something may have changed, but no longer than `ms`. */
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

  /** Claims and sends once. `more`: nothing was found so far, and not all endpoints were searched. */
  const turn = async (signal: AbortSignal): Promise<'full' | 'some' | 'more' | 'none'> => {
    isTold = false;
    // Leases that cannot be reclaimed must not keep the rest from being sent.
    await claims.tidy().catch((err: unknown) => log.warn({ err }, 'the webhook sender cannot take back'));
    slots.age();
    const limitRows = room();
    if (limitRows <= 0) return 'full';
    const freeBytes = roomBytes();
    const { claimed, isRound, tooLarge } = await claims.claim(
      limitRows,
      freeBytes,
      slots.free(freeBytes >= claimBytes),
      held(),
    );
    slots.waitForBytes(tooLarge);
    if (claimed.length === 0) return isRound ? 'none' : 'more';
    await endpoints.learn(claimed);
    // These deliveries are not sent. The next claim ends their lease. If another worker reclaims the lease first,
    // they count as possibly sent.
    if (signal.aborted) return 'none';
    for (const delivery of claimed) void send(delivery);
    return claimed.length === limitRows ? 'full' : 'some';
  };

  return {
    /** Announces that there are new deliveries. */
    wake: () => {
      isTold = true;
      wake();
    },

    /** Sends until the signal aborts. Requests that are in flight then continue. */
    async run(signal: AbortSignal): Promise<void> {
      let busyAt = performance.now();
      let idle = false;
      while (!signal.aborted) {
        try {
          const found = await turn(signal);
          metrics.setInFlight(
            scope.shard,
            slots.inFlight(),
            slots.bytesInFlight() + recorder.unrecordedBytes(),
          );
          if (found === 'more') continue;
          if (found !== 'none') busyAt = performance.now();
          if (idle && found !== 'none') await isIdle((idle = false));
          else if (!idle && performance.now() - busyAt > idleAfterMs) {
            await isIdle((idle = true));
            // Deliveries that were created before the shard was marked as idle have not woken the sender.
            continue;
          }
          wantsRoom = idle || found === 'full';
          if (isTold && idle) continue;
          if (found !== 'full' || room() < worthClaiming) await pause(idle ? backstopMs : pollMs, signal);
        } catch (err) {
          log.warn({ err }, 'the webhook sender cannot claim');
          await wait(awayMs, undefined, { signal }).catch(() => undefined);
        }
      }
    },

    /** Waits for the requests in flight, aborts those that are left after `graceMs`, and records all of them. */
    async finish(graceMs: number): Promise<void> {
      const until = performance.now() + graceMs;
      await database.queryAsWorker(setIdle(scope.shard, scope.owner, false)).catch(() => undefined);
      while (slots.inFlight() > 0 && performance.now() < until)
        await pause(Math.min(100, until - performance.now()), neverAborted);
      abandon.abort();
      while (slots.inFlight() > 0) await wait(1);
      const flushed = new AbortController();
      const tooLate = wait(finishMs, undefined, { signal: flushed.signal }).catch(() => undefined);
      await Promise.race([recorder.flush(), tooLate]);
      flushed.abort();
      // Otherwise the next owner reclaims what is not recorded.
      if (held().length === 0) await database.queryAsWorker(leaveShard(scope.owner)).catch(() => undefined);
      recorder.discard();
    },

    /** Aborts everything at once, because another owner has the shard. */
    discard(): void {
      recorder.discard();
      abandon.abort();
    },
  };
}

const finishMs = 5_000;
const neverAborted = new AbortController().signal;

function tell(
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
