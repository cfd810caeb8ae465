import type { Logger } from 'pino';
import type { Database } from '../../db/platform/database';
import { isObjectPath } from '../../db/platform/object-path';
import type { ObjectStore } from '../../db/platform/object-store';
import { recordingStem } from '../../db/taking/recording-work';
import {
  eraseAttempt,
  eraseMessages,
  eraseTimeRequests,
  findExpiredAttempts,
  findExpiredRecordings,
  forgetRecording,
} from '../../db/taking/retention';
import type { ExpiredAttempt, ExpiredRecording } from '../../db/taking/retention';
import { deleteVisits } from '../../db/taking/visits';

type RetentionDeps = {
  database: Pick<Database, 'writeAsWorker' | 'queryAsWorker'>;
  objects: Pick<ObjectStore, 'delete' | 'deletePrefix'>;
  log: Pick<Logger, 'warn'>;
};

/**
 * The number of rows in a batch. One transaction deletes all recordings of a batch, but each attempt is erased in its
 * own transaction.
 */
const batchRows = 50;

/**
 * Deletes recordings and erases attempts that merchants no longer keep (docs/operations.md#retention), in batches,
 * until none are left or the signal aborts. The files are deleted before the transaction commits. If a worker dies in
 * between, no file is left without a row, and the next run deletes the rest.
 */
export async function enforceRetention(deps: RetentionDeps, signal: AbortSignal): Promise<void> {
  for (let found = batchRows; found === batchRows && !signal.aborted;)
    found = await deleteExpiredRecordings(deps);
  await deps.database.writeAsWorker((trx) => trx.rows(eraseTimeRequests));
  for (let found = batchRows; found === batchRows && !signal.aborted;) found = await deleteOldVisits(deps);
  const failed: string[] = [];
  for (let found = batchRows; found === batchRows && !signal.aborted;) {
    const expired = await deps.database.queryAsWorker(findExpiredAttempts(batchRows, failed));
    for (const attempt of expired)
      if (!signal.aborted)
        await erase(deps, attempt).catch((err: unknown) => {
          deps.log.warn({ err, result_id: attempt.result_id }, 'failed to erase an attempt');
          failed.push(attempt.result_id);
        });
    found = expired.length;
  }
}

/** Deletes visits of public avatars with the speech of their replies. */
const deleteOldVisits = ({ database, objects }: RetentionDeps): Promise<number> =>
  database.writeAsWorker(async (trx) => {
    const deleted = await trx.rows(deleteVisits(batchRows));
    for (const { merchant_id, environment, result_id } of deleted)
      await objects.deletePrefix(`${merchant_id}/${environment}/${result_id}/`);
    return deleted.length;
  });

async function deleteExpiredRecordings({ database, objects }: RetentionDeps): Promise<number> {
  const expired = await database.queryAsWorker(findExpiredRecordings(batchRows));
  await database.writeAsWorker(async (trx) => {
    for (const recording of expired) {
      await trx.rows(forgetRecording(recording));
      await deleteFiles(objects, recording);
    }
  });
  return expired.length;
}

/** Deletes the file of a recording. If the file was uploaded by the portal, also deletes its parts. */
async function deleteFiles(objects: RetentionDeps['objects'], { path }: ExpiredRecording): Promise<void> {
  // Results from other sources may contain a text that is not a path in the object store.
  if (!isObjectPath(path)) return;
  await objects.delete(path);
  if (uploadPath.test(path)) await objects.deletePrefix(recordingStem(path));
}
const uploadPath = /\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z0-9]+$/;

const erase = ({ database, objects }: RetentionDeps, expired: ExpiredAttempt): Promise<void> =>
  database.writeAsWorker(async (trx) => {
    const { merchant_id, environment, result_id, attempt } = expired;
    const { erased } = await trx.one(eraseAttempt(expired));
    if (!erased) throw new Error('The attempt has begun again');
    await trx.rows(eraseMessages(expired));
    await objects.deletePrefix(`${merchant_id}/${environment}/${result_id}/${attempt}/`);
  });
