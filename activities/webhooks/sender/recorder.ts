import { setTimeout as wait } from 'node:timers/promises';
import { isConnectionError, isOutOfResources, isSerializationFailure } from '../../../db/platform/database';
import type { Database } from '../../../db/platform/database';
import { bytesOf, stampOf } from '../../../db/webhooks/deliveries';
import { recordOutcomes } from '../../../db/webhooks/delivery-outcomes';
import type { RecordedEndpoint } from '../../../db/webhooks/delivery-outcomes';
import { orphanDelivery } from '../../../db/webhooks/sender-shards';
import type { AttemptEnd } from './attempt';

const batchOutcomes = 100;
/** Limits the bytes of the bodies in a batch, because the whole statement is in memory while it is sent. */
const batchBytes = 4 * 2 ** 20;
const lingerMs = 10;
const retryMs = 250;
/**
 * The maximum number of tries of a batch whose error may be temporary. There is no limit for lost connections, full
 * disks and deadlocks.
 */
const triesOfBatch = 4;

type RecordingDeps = {
  database: Pick<Database, 'queryAsWorker'>;
  /** The owner id of the retry run that made the attempts. Null if a sender made them. */
  owner: string | null;
  /** Called after each statement with the endpoints that it changed and the attempts that it recorded. */
  onRecorded: (endpoints: RecordedEndpoint[], ends: readonly AttemptEnd[]) => void;
  onError: (error: unknown) => void;
};
type RecorderDeps = Omit<RecordingDeps, 'owner'> & {
  /** Called with a delivery whose attempt could not be recorded. */
  onAbandoned: (deliveryId: string) => void;
};

/**
 * Records outcomes in batches. A batch starts when 100 outcomes or 4 MiB of bodies wait, or 10 ms after the first
 * outcome. While the database is unavailable, the recorder keeps the outcomes and retries. Recording an outcome twice
 * changes nothing.
 */
export function createRecorder(given: RecorderDeps) {
  const deps = { ...given, owner: null };
  const waiting: AttemptEnd[] = [];
  let recording: readonly AttemptEnd[] = [];
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const over = new AbortController();
  const bytes = { waiting: 0, recording: 0 };
  const isEnough = () => waiting.length >= batchOutcomes || bytes.waiting >= batchBytes;
  /** Removes the first waiting outcomes and returns them: as many as fit into `batchBytes`, but at least one. */
  const takeBatch = (): AttemptEnd[] => {
    let count = 0;
    bytes.recording = 0;
    for (const { delivery } of waiting) {
      const more = bytesOf(delivery);
      if (count > 0 && bytes.recording + more > batchBytes) break;
      count += 1;
      bytes.recording += more;
    }
    bytes.waiting -= bytes.recording;
    return waiting.splice(0, count);
  };

  const run = async () => {
    while (waiting.length > 0 && !over.signal.aborted) {
      recording = takeBatch();
      for (const end of await recordAll(deps, recording, over.signal)) await abandon(deps, end, over.signal);
      recording = [];
      bytes.recording = 0;
      // Outcomes that arrived in the meantime wait for `lingerMs`, unless they fill a batch.
      if (!isEnough()) break;
    }
    running = undefined;
    if (waiting.length > 0) linger();
  };
  const start = () => {
    clearTimeout(timer);
    timer = undefined;
    running ??= run();
  };
  const linger = () => {
    timer ??= setTimeout(start, lingerMs);
  };

  return {
    /** The number of outcomes that are not recorded yet. */
    unrecorded: () => waiting.length + recording.length,
    unrecordedBytes: () => bytes.waiting + bytes.recording,
    unrecordedDeliveries: () => [...waiting, ...recording].map(({ delivery }) => delivery),
    add(end: AttemptEnd): void {
      if (over.signal.aborted) return;
      waiting.push(end);
      bytes.waiting += bytesOf(end.delivery);
      if (running) return;
      if (isEnough()) start();
      else linger();
    },
    /** Resolves when all outcomes are recorded, or after `discard`. */
    async flush(): Promise<void> {
      while (waiting.length + recording.length > 0 && !over.signal.aborted) {
        start();
        await running;
      }
    },
    /** Drops the outcomes that are not recorded, because another owner has reclaimed their deliveries. */
    discard(): void {
      over.abort();
      clearTimeout(timer);
      waiting.length = 0;
    },
  };
}

/**
 * Records outcomes and retries temporary errors until `over` aborts. After a permanent error, such as a value that
 * Postgres rejects, halves the batch until the failing outcome is alone, and records that outcome without the
 * response. Returns the attempts that could not be recorded even without the response.
 */
export async function recordAll(
  deps: RecordingDeps,
  ends: readonly AttemptEnd[],
  over: AbortSignal,
  tries = triesOfBatch,
): Promise<AttemptEnd[]> {
  for (let tried = 1; !over.aborted; tried++) {
    try {
      await record(deps, ends);
      return [];
    } catch (error) {
      deps.onError(error);
      if (isInvalidValue(error) || (tried >= tries && !isPassing(error))) break;
      await wait(retryMs);
    }
  }
  const [first] = ends;
  if (over.aborted || !first) return [];
  if (ends.length === 1) {
    if (first.outcome.response_headers === null) return [first];
    return recordAll(deps, [{ ...first, outcome: { ...first.outcome, ...withoutResponse } }], over, 1);
  }
  const half = Math.ceil(ends.length / 2);
  const failed: AttemptEnd[] = [];
  for (const part of [ends.slice(0, half), ends.slice(half)])
    failed.push(...(await recordAll(deps, part, over, part.length > 1 ? 1 : triesOfBatch)));
  return failed;
}

async function record(
  { database, owner, onRecorded }: RecordingDeps,
  ends: readonly AttemptEnd[],
): Promise<void> {
  const now = performance.now();
  for (const { startedAt, outcome } of ends) outcome.since_ms = now - startedAt;
  const outcomes = ends.map(({ outcome }) => outcome);
  onRecorded(await database.queryAsWorker(recordOutcomes(owner, outcomes)), ends);
}

/**
 * Gives up a delivery whose attempt cannot be recorded: leases the delivery to an owner that does not exist, so that
 * the next reclaim records the attempt as `worker_lost`.
 */
async function abandon(deps: RecorderDeps, { delivery }: AttemptEnd, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    try {
      await deps.database.queryAsWorker(orphanDelivery(delivery.id, stampOf(delivery)));
      return deps.onAbandoned(delivery.id);
    } catch (error) {
      deps.onError(error);
      await wait(retryMs);
    }
  }
}

const withoutResponse = { response_headers: null, response_body: null, error: 'the answer cannot be stored' };

/**
 * Returns true if the cause of the error is the state of the database and not the recorded outcome. Such errors end
 * by themselves, so the recording is retried for as long as they last.
 */
const isPassing = (error: unknown): boolean =>
  isConnectionError(error) || isOutOfResources(error) || isSerializationFailure(error);

/** SQLSTATE classes 22 and 23 mean that the value is invalid, so retrying does not help. */
const isInvalidValue = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^2[23]/.test(error.code);
