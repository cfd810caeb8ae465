import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Database } from '../../db/platform/database';
import type { ObjectStore } from '../../db/platform/object-store';
import {
  claimRecording,
  endTranscription,
  finishDeletion,
  finishRecordingWork,
  postponeRecordingWork,
  recordingStem,
  releaseRecording,
  renewRecordingClaim,
  setRecordedSound,
  setRecordingStored,
} from '../../db/taking/recording-work';
import type { RecordingWork } from '../../db/taking/recording-work';
import { partPath, partsPrefix } from '../../db/taking/recordings';
import type { MeasuredMedia } from './media';
import { measureRecording } from './media-thread';

type RecordingDeps = {
  database: Pick<Database, 'writeAsWorker' | 'queryAsWorker'>;
  objects: Pick<ObjectStore, 'get' | 'put' | 'deletePrefix'>;
  log: Pick<Logger, 'warn'>;
};

/** The number of recordings that one worker joins or deletes at the same time. Each recording has up to 200 MiB. */
export const maxConcurrentRecordings = 4;
/**
 * A worker claims a recording for 20 seconds and renews the claim this often, so one late or failed renewal is
 * harmless.
 */
const renewEveryMs = 4_000;
/**
 * The time that the parser gets for one recording: first while it is joined, and later, if that was not enough. An
 * honest recording of 200 MiB took 3 seconds on a busy machine. A file of that size that is made to be slow would take
 * 20 seconds, and some damaged files make the parser loop forever.
 */
const measureLimitsMs = { whileJoining: 1_000, later: 15_000 };

/**
 * Joins the parts of completed recordings and deletes discarded recordings, one after the other, until no work is due
 * or the signal aborts. If the work on a recording fails, the error is logged and the work is tried again later. Every
 * step can be repeated, so a killed worker loses nothing (docs/taking.md#recordings).
 */
export const joinRecordings = (
  deps: RecordingDeps,
  signal: AbortSignal,
  limitMs = measureLimitsMs.whileJoining,
): Promise<void> =>
  workOnAll(deps, signal, false, async (work) => {
    await joinParts(deps, work);
    const measured = await measure(deps, work, limitMs);
    await store(deps, work, measured);
    // Long recordings are measured by `measureRecordings`, so that nobody waits for them.
    const [left] = await (measured === undefined
      ? deps.database.queryAsWorker(releaseRecording(work.id))
      : finish(deps, work));
    // The recording was discarded and perhaps deleted while it was joined, so the file must not stay.
    if (!left) await deps.objects.deletePrefix(recordingStem(work.path));
  });

/**
 * Measures the joined recordings for which `joinRecordings` had no time, and deletes what is left of their parts, until
 * no work is due or the signal aborts. Deletes those that are not kept when their hour is over.
 */
export const measureRecordings = (
  deps: RecordingDeps,
  signal: AbortSignal,
  limitMs = measureLimitsMs.later,
): Promise<void> =>
  workOnAll(deps, signal, true, async (work) => {
    const measured = await measure(deps, work, limitMs);
    if (measured) await store(deps, work, measured);
    await finish(deps, work);
  });

async function workOnAll(
  deps: RecordingDeps,
  signal: AbortSignal,
  isJoined: boolean,
  work: (claimed: RecordingWork) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    const claimed = await deps.database.writeAsWorker((trx) => trx.maybeOne(claimRecording(isJoined)));
    if (!claimed) return;
    await workOn(deps, claimed, work);
  }
}

async function workOn(
  deps: RecordingDeps,
  claimed: RecordingWork,
  work: (claimed: RecordingWork) => Promise<void>,
): Promise<void> {
  const { database, log } = deps;
  const { id, tries } = claimed;
  const renewal = setInterval(
    () => void database.queryAsWorker(renewRecordingClaim(id)).catch(() => undefined),
    renewEveryMs,
  );
  try {
    await (claimed.state === 'discarded' ? deleteDiscarded(deps, claimed) : work(claimed));
  } catch (err) {
    log.warn({ err, recording_id: id, tries }, 'failed to join or delete a recording');
    await database.queryAsWorker(postponeRecordingWork(id));
  } finally {
    clearInterval(renewal);
  }
}

const bytesOf = ({ parts }: RecordingWork): number => parts.reduce((sum, { bytes }) => sum + bytes, 0);

const measure = ({ objects }: RecordingDeps, work: RecordingWork, limitMs: number) =>
  measureRecording(objects, { path: work.path, sizeBytes: bytesOf(work) }, limitMs);

/** A video without a picture counts as sound, so that nobody gets around a video that is required. */
async function store(
  { database }: RecordingDeps,
  { id }: RecordingWork,
  measured: MeasuredMedia | null | undefined,
) {
  if (measured?.isSoundOnly) await database.queryAsWorker(setRecordedSound(id));
  await database.queryAsWorker(setRecordingStored(id, measured?.lengthMs ?? null));
}

/** Streams the parts into one file, which replaces the file of an earlier try. */
const joinParts = ({ objects }: RecordingDeps, work: RecordingWork): Promise<void> =>
  objects.put(work.path, {
    stream: Readable.from(readParts(objects, work.path, work.parts)),
    sizeBytes: bytesOf(work),
  });

async function finish({ database, objects }: RecordingDeps, { id, path }: RecordingWork) {
  await objects.deletePrefix(partsPrefix(path));
  return database.queryAsWorker(finishRecordingWork(id));
}

async function* readParts(
  objects: RecordingDeps['objects'],
  path: string,
  parts: RecordingWork['parts'],
): AsyncGenerator<Buffer> {
  for (const part of parts) {
    const opened = await objects.get(partPath(path, part));
    if (!opened) throw new Error(`Part ${part.part} is missing in the object store`);
    if (opened.sizeBytes !== part.bytes) {
      opened.stream.destroy();
      throw new Error(
        `Part ${part.part} has ${opened.sizeBytes} bytes, not the ${part.bytes} it was to have`,
      );
    }
    yield* opened.stream as AsyncIterable<Buffer>;
  }
}

async function deleteDiscarded(
  { database, objects }: RecordingDeps,
  { id, path }: RecordingWork,
): Promise<void> {
  await database.queryAsWorker(endTranscription(id));
  await objects.deletePrefix(recordingStem(path));
  await database.queryAsWorker(finishDeletion(id));
}
