import { setTimeout as wait } from 'node:timers/promises';
import { recordOutcomes } from '../../db/delivery-outcomes';
import type { RecordedEndpoint } from '../../db/delivery-outcomes';
import { isConnectionError } from '../../db/scope';
import type { Database } from '../../db/scope';
import type { AttemptEnd } from './attempt';
import { bytesOf } from './slots';

const batchOutcomes = 100;
/** Of bodies: a statement is built, sent and read as a whole. */
const batchBytes = 4 * 2 ** 20;
const lingerMs = 10;
const retryMs = 250;

export type RecorderDeps = {
  database: Pick<Database, 'hotAsWorker'>;
  /** Told after each statement what it changed. */
  onRecorded: (endpoints: RecordedEndpoint[], ends: readonly AttemptEnd[]) => void;
  onError: (error: unknown) => void;
};

export type Recorder = ReturnType<typeof createRecorder>;

/**
 * Records outcomes in one statement each 100 of them or 4 MiB of bodies, or 10 ms after the first. While the database is away it keeps them
 * and tries again: to record twice changes nothing.
 */
export function createRecorder(deps: RecorderDeps) {
  const waiting: AttemptEnd[] = [];
  let recording: readonly AttemptEnd[] = [];
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const over = new AbortController();
  const bytes = { waiting: 0, recording: 0 };
  const isEnough = () => waiting.length >= batchOutcomes || bytes.waiting >= batchBytes;
  /** The longest batch that is not too much; one outcome is none. */
  const takeBatch = (): AttemptEnd[] => {
    let count = 0;
    bytes.recording = 0;
    for (const { delivery } of waiting) {
      const more = bytesOf(delivery);
      if (count >= batchOutcomes || (count > 0 && bytes.recording + more > batchBytes)) break;
      count += 1;
      bytes.recording += more;
    }
    bytes.waiting -= bytes.recording;
    return waiting.splice(0, count);
  };

  const run = async () => {
    while (waiting.length > 0 && !over.signal.aborted) {
      recording = takeBatch();
      while (!over.signal.aborted) {
        try {
          await recordEach(deps, recording);
          break;
        } catch (error) {
          deps.onError(error);
          await wait(retryMs);
        }
      }
      recording = [];
      bytes.recording = 0;
      // What came meanwhile waits for its 10 ms unless it is enough.
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
    /** Those that are not on record yet. */
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
    /** Resolves when everything is on record. */
    async flush(): Promise<void> {
      while (waiting.length + recording.length > 0 && !over.signal.aborted) {
        start();
        await running;
      }
    },
    /** Forgets what is not on record: another owner has taken it back. */
    discard(): void {
      over.abort();
      clearTimeout(timer);
      waiting.length = 0;
    },
  };
}

/**
 * A value that Postgres does not take must not hold up the others: the batch is halved until it stands alone, and is then
 * recorded without the receiver's words.
 */
async function recordEach(deps: RecorderDeps, ends: readonly AttemptEnd[]): Promise<void> {
  const now = performance.now();
  for (const { startedAt, outcome } of ends) outcome.since_ms = now - startedAt;
  const outcomes = ends.map(({ outcome }) => outcome);
  try {
    deps.onRecorded(await deps.database.hotAsWorker<RecordedEndpoint>(recordOutcomes(null, outcomes)), ends);
  } catch (error) {
    if (isConnectionError(error) || !isRefusedValue(error)) throw error;
    deps.onError(error);
    const [first] = ends;
    if (ends.length > 1) {
      const half = Math.ceil(ends.length / 2);
      await recordEach(deps, ends.slice(0, half));
      await recordEach(deps, ends.slice(half));
    } else if (first && first.outcome.response_headers !== null)
      await recordEach(deps, [{ ...first, outcome: { ...first.outcome, ...withoutWords } }]);
    else throw error;
  }
}

const withoutWords = { response_headers: null, response_body: null, error: 'the answer cannot be stored' };

/** Classes 22 and 23: the value's fault, which trying again does not mend. */
const isRefusedValue = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^2[23]/.test(error.code);
