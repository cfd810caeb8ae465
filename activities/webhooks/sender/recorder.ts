import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  isConnectionError,
  isInvalidValue,
  isOutOfResources,
  isSerializationFailure,
} from '../../../db/platform/database';
import type { Database } from '../../../db/platform/database';
import { bytesOf, stampOf } from '../../../db/webhooks/deliveries';
import { recordOutcomes } from '../../../db/webhooks/delivery-outcomes';
import type { RecordedEndpoint } from '../../../db/webhooks/delivery-outcomes';
import { orphanDelivery } from '../../../db/webhooks/sender-shards';
import type { AttemptEnd } from './attempt';
import { recording } from './limits';

type RecorderDeps = {
  database: Pick<Database, 'queryAsWorker'>;
  /** Called after each statement with the endpoints that it changed and the attempts that it recorded. */
  onRecorded: (endpoints: RecordedEndpoint[], ends: readonly AttemptEnd[]) => void;
  log: Logger;
};

/**
 * Records outcomes in batches. While the database is unavailable, the recorder keeps the outcomes and retries.
 * Recording an outcome twice changes nothing.
 */
export function createRecorder({ database, onRecorded, log }: RecorderDeps) {
  /** The outcomes that are not recorded yet, oldest first. The first ones may be in a statement that is running. */
  const waiting: AttemptEnd[] = [];
  let bytes = 0;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const over = new AbortController();
  const isEnough = () => waiting.length >= recording.batch || bytes >= recording.batchBytes;

  /**
   * Runs `query` again after errors that may pass, until it succeeds or `discard` is called. Returns false if it does not
   * help to try again.
   */
  const persist = async (query: () => Promise<void>, tries: number): Promise<boolean> => {
    for (let tried = 1; !over.signal.aborted; tried++) {
      try {
        await query();
        return true;
      } catch (error) {
        log.warn({ err: error }, 'failed to record webhook attempts');
        if (isInvalidValue(error) || (tried >= tries && !isPassing(error))) return false;
        await wait(recording.retryMs);
      }
    }
    return true;
  };
  const record = (ends: readonly AttemptEnd[]) =>
    persist(async () => {
      const now = performance.now();
      for (const { startedAt, outcome } of ends) outcome.since_ms = now - startedAt;
      onRecorded(await database.queryAsWorker(recordOutcomes(ends.map(({ outcome }) => outcome))), ends);
    }, recording.tries);

  /**
   * Records the outcomes. If Postgres rejects a batch, records each outcome alone, then without the response. If even
   * that fails, leases the delivery to an owner that does not exist, so that the next reclaim records `worker_lost`.
   */
  const recordAll = async (ends: readonly AttemptEnd[]): Promise<void> => {
    if (await record(ends)) return;
    for (const end of ends) {
      if (ends.length > 1 && (await record([end]))) continue;
      if (await record([{ ...end, outcome: { ...end.outcome, ...withoutResponse } }])) continue;
      const { delivery } = end;
      await persist(async () => {
        await database.queryAsWorker(orphanDelivery(delivery.id, stampOf(delivery)));
        log.error({ delivery_id: delivery.id }, 'gave up recording a webhook attempt: it counts as lost');
      }, Infinity);
    }
  };

  /** Returns the first outcomes that fit into `batchBytes`, but at least one. */
  const nextBatch = () => {
    let size = 0;
    const end = waiting.findIndex(({ delivery }, index) => {
      size += bytesOf(delivery);
      return index > 0 && size > recording.batchBytes;
    });
    return waiting.slice(0, end === -1 ? undefined : end);
  };
  const run = async () => {
    do {
      const batch = nextBatch();
      await recordAll(batch);
      waiting.splice(0, batch.length);
      for (const { delivery } of batch) bytes -= bytesOf(delivery);
      // Outcomes that arrived in the meantime wait until they are enough or `lingerMs` have passed.
    } while (isEnough() && !over.signal.aborted);
    running = undefined;
    if (waiting.length > 0) linger();
  };
  const start = () => {
    clearTimeout(timer);
    timer = undefined;
    running ??= run();
  };
  const linger = () => {
    timer ??= setTimeout(start, recording.lingerMs);
  };

  return {
    unrecorded: () => waiting.length,
    unrecordedBytes: () => bytes,
    unrecordedDeliveries: () => waiting.map(({ delivery }) => delivery),
    add(end: AttemptEnd): void {
      if (over.signal.aborted) return;
      waiting.push(end);
      bytes += bytesOf(end.delivery);
      if (running) return;
      if (isEnough()) start();
      else linger();
    },
    /** Resolves when all outcomes are recorded, or after `discard`. */
    async flush(): Promise<void> {
      while (waiting.length > 0 && !over.signal.aborted) {
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

const withoutResponse = { response_headers: null, response_body: null, error: 'the answer cannot be stored' };

/** Returns true if the cause of the error is the state of the database, so that it ends by itself. */
const isPassing = (error: unknown): boolean =>
  isConnectionError(error) || isOutOfResources(error) || isSerializationFailure(error);
