import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isInvalidValue, isTemporary } from '../../../db/platform/database';
import type { Database } from '../../../db/platform/database';
import { bytesOf, stampOf } from '../../../db/webhooks/deliveries';
import { recordOutcomes } from '../../../db/webhooks/delivery-outcomes';
import { orphanDelivery } from '../../../db/webhooks/sender-shards';
import type { AttemptEnd } from './attempt';
import { recording, retryMs } from './limits';

/**
 * Records outcomes in batches. While the database is unavailable, the recorder keeps the outcomes and retries.
 * Recording an outcome twice changes nothing. Calls `onRecorded` after each statement with its attempts, and how
 * many of them it recorded: the others were reclaimed, or recorded by an earlier try.
 */
export function createRecorder(
  database: Pick<Database, 'queryAsWorker'>,
  log: Logger,
  onRecorded: (ends: readonly AttemptEnd[], recorded: number) => void,
) {
  /** The outcomes that are not recorded yet, oldest first. The first ones may be in a statement that is running. */
  const waiting: AttemptEnd[] = [];
  let bytes = 0;
  let isRecording = false;
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;

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
        if (isInvalidValue(error) || (tried >= tries && !isTemporary(error))) return false;
        await wait(retryMs);
      }
    }
    return true;
  };
  const record = (ends: readonly AttemptEnd[]) =>
    persist(async () => {
      const recorded = await database.queryAsWorker(recordOutcomes(ends));
      onRecorded(ends, recorded.length);
    }, recording.tries);

  /**
   * Records the outcomes. If Postgres rejects a batch, records each outcome alone, then without the response. If even
   * that fails, leases the delivery to an owner that does not exist, so that the next reclaim records `worker_lost`.
   */
  const recordAll = async (ends: readonly AttemptEnd[]): Promise<void> => {
    if (await record(ends)) return;
    for (const end of ends) {
      if (ends.length > 1 && (await record([end]))) continue;
      if (await record([{ ...end, result: { ...end.result, ...withoutResponse } }])) continue;
      const { delivery } = end;
      await persist(async () => {
        await database.queryAsWorker(orphanDelivery(delivery.id, stampOf(delivery)));
        log.error({ delivery_id: delivery.id }, 'gave up recording a webhook attempt: it counts as lost');
      }, Infinity);
    }
  };

  /** Returns the first outcomes that fit into a statement, but at least one. */
  const nextBatch = () => {
    let size = 0;
    const end = waiting.findIndex(({ delivery }) => (size += bytesOf(delivery)) > recording.batchBytes);
    return waiting.slice(0, Math.min(recording.maxBatch, end === -1 ? Infinity : Math.max(end, 1)));
  };
  const recordBatch = async () => {
    timer = undefined;
    isRecording = true;
    const batch = nextBatch();
    await recordAll(batch);
    waiting.splice(0, batch.length);
    for (const { delivery } of batch) bytes -= bytesOf(delivery);
    isRecording = false;
    schedule();
  };
  /** Records a batch when there are enough outcomes for it, or `lingerMs` later. */
  const schedule = () => {
    if (isRecording || waiting.length === 0) return;
    if (waiting.length < recording.batch && bytes < recording.batchBytes)
      timer ??= setTimeout(() => void recordBatch(), recording.lingerMs);
    else {
      clearTimeout(timer);
      void recordBatch();
    }
  };

  return {
    unrecorded: () => waiting.map(({ delivery }) => delivery),
    unrecordedBytes: () => bytes,
    add(end: AttemptEnd): void {
      if (over.signal.aborted) return;
      waiting.push(end);
      bytes += bytesOf(end.delivery);
      schedule();
    },
    /** Records nothing more, because the sender has ended or its lease was reclaimed. */
    discard(): void {
      over.abort();
      clearTimeout(timer);
      waiting.length = 0;
    },
  };
}

const withoutResponse = { response_headers: null, response_body: null, error: 'the answer cannot be stored' };
