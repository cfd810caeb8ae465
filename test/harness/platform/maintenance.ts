import { runMaintenance } from '../../../activities/maintenance';
import type { Database } from '../../../db/platform/database';

/** Runs all jobs of maintenance once, and throws the error of the first one that fails. */
export const maintain = (database: Pick<Database, 'writeAsWorker'>): Promise<void> =>
  runMaintenance(database, (_job, error) => {
    throw error;
  });
