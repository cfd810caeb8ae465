import { claimUnusedVideos, deleteQuestionVideos } from '../../db/interviews/question-videos';
import type { Database } from '../../db/platform/database';
import { questionVideoPath } from '../../db/platform/object-path';
import type { ObjectStore } from '../../db/platform/object-store';

type Deps = { database: Pick<Database, 'writeAsWorker'>; objects: Pick<ObjectStore, 'delete'> };

const batchRows = 50;

/**
 * Deletes the videos of questions that no interview asks any more. The files are deleted before the rows, so that no
 * file is left without a row if the worker dies in between.
 */
export async function deleteUnusedVideos({ database, objects }: Deps, signal: AbortSignal): Promise<void> {
  for (let taken = batchRows; taken === batchRows && !signal.aborted;) {
    const unused = await database.writeAsWorker((trx) => trx.rows(claimUnusedVideos(batchRows)));
    for (const { merchant_id, id } of unused) await objects.delete(questionVideoPath(merchant_id, id));
    await database.writeAsWorker((trx) => trx.count(deleteQuestionVideos(unused.map(({ id }) => id))));
    taken = unused.length;
  }
}
