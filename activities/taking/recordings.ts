import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Database } from '../../db/platform/database';
import type { ObjectStore } from '../../db/platform/object-store';
import {
  claimRecordings,
  finishRecordingWork,
  postponeRecordingWork,
  recordingStem,
  renewRecordingClaim,
  setRecordingStored,
} from '../../db/taking/recording-work';
import type { RecordingWork } from '../../db/taking/recording-work';
import { measureMs } from './media-thread';
import { partPath, partsPrefix } from '../../db/taking/recordings';

export type RecordingDeps = {
  database: Pick<Database, 'writeAsWorker' | 'queryAsWorker'>;
  objects: Pick<ObjectStore, 'get' | 'put' | 'deletePrefix'>;
  log: Pick<Logger, 'warn'>;
};

/** The number of recordings that one worker joins or deletes at the same time. Each recording has up to 200 MiB. */
const recordingsAtOnce = 4;
/**
 * A worker claims a recording for 20 seconds and renews the claim this often, so one late or failed renewal is
 * harmless.
 */
const renewEveryMs = 4_000;

/**
 * Joins the parts of completed recordings and deletes discarded recordings, until no work is due or the signal
 * aborts. If the work on a recording fails, the error is logged and the work is tried again later. Every step can be
 * repeated, so a killed worker loses nothing (docs/taking.md#recordings).
 */
export async function workOnRecordings(deps: RecordingDeps, signal: AbortSignal): Promise<void> {
  for (let claimed = recordingsAtOnce; claimed === recordingsAtOnce && !signal.aborted;) {
    const works = await deps.database.writeAsWorker((trx) => trx.rows(claimRecordings(recordingsAtOnce)));
    await Promise.all(works.map((work) => workOn(deps, work)));
    claimed = works.length;
  }
}

async function workOn(deps: RecordingDeps, work: RecordingWork): Promise<void> {
  const renewal = setInterval(
    () => void deps.database.queryAsWorker(renewRecordingClaim(work.id)).catch(() => undefined),
    renewEveryMs,
  );
  try {
    if (work.state === 'discarded') await deleteDiscarded(deps, work);
    else {
      if (work.state === 'completed') await joinParts(deps, work);
      await deps.objects.deletePrefix(partsPrefix(work.path));
      await deps.database.queryAsWorker(finishRecordingWork(work.id));
    }
  } catch (err) {
    deps.log.warn({ err, recording_id: work.id, tries: work.tries }, 'failed to join or delete a recording');
    await deps.database.queryAsWorker(postponeRecordingWork(work.id));
  } finally {
    clearInterval(renewal);
  }
}

/**
 * Streams the parts into one file, which replaces the file of an earlier try. Then measures the length of the
 * recording, and makes the file visible to readers of the result.
 */
async function joinParts(
  { database, objects }: RecordingDeps,
  { id, path, parts }: RecordingWork,
): Promise<void> {
  const sizeBytes = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  await objects.put(path, { stream: Readable.from(readParts(objects, path, parts)), sizeBytes });
  await database.queryAsWorker(setRecordingStored(id, await measureMs(objects, { path, sizeBytes })));
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
  await objects.deletePrefix(recordingStem(path));
  await database.queryAsWorker(finishRecordingWork(id));
}
