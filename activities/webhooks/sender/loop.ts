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

/** Sent or under way by the window and not on record: what a crash may repeat. */
export const maxUnrecorded = 200;
/** A claim that would take fewer waits for more room, as long as a poll waits. */
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
  /** Whether an end of a call is worth a claim: the last one took all there was room for, or nobody polls. */
  let wantsRoom = false;
  /** Told of what is born, since the last turn began. */
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
  /** What a claim does not name here is nobody's again: one that was lost on its way has claimed nothing. */
  const held = () => [...slots.calls().map(({ delivery }) => delivery), ...recorder.unrecordedDeliveries()];
  /** Until something may have changed, at most so long. */
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

  /** Claims and sends once. `more`: nothing so far, and not all endpoints were looked at. */
  const turn = async (signal: AbortSignal): Promise<'full' | 'some' | 'more' | 'none'> => {
    isTold = false;
    // What it cannot take back must not keep the rest from being sent.
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
    // Unsent, the next claim forgets it; whose hand is taken back has sent it, as far as anybody knows.
    if (signal.aborted) return 'none';
    for (const delivery of claimed) void send(delivery);
    return claimed.length === limitRows ? 'full' : 'some';
  };

  return {
    /** Something is born. */
    wake: () => {
      isTold = true;
      wake();
    },

    /** Sends until the signal aborts. What is under way then goes on. */
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
            // What was born before the word was out told nobody of it.
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

    /** Waits for what is under way, then ends it, and records all of it. */
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
      // Else the next owner takes back what is not on record.
      if (held().length === 0) await database.queryAsWorker(leaveShard(scope.owner)).catch(() => undefined);
      recorder.discard();
    },

    /** Ends everything at once: another owner has it. */
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
