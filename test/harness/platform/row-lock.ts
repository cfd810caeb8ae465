import { withAdminConnection } from '../../../db/platform/credentials';
import { waitFor } from '../wait-for';
import type { TestDatabase } from './database';

/**
 * Locks a row while the calls run. The lock is released when `meeting` calls (by default all) wait for the row or for
 * each other. By then, each call has read everything that it reads before it locks the row, and none has written.
 */
export const meetAtRow = <T>(
  database: TestDatabase,
  table: string,
  { key, id }: { key: string; id: string },
  calls: (() => Promise<T>)[],
  meeting = calls.length,
): Promise<T[]> =>
  withAdminConnection(database.adminUrl, async (holder) => {
    await holder.query('begin');
    await holder.query(`select from ${table} where ${key} = $1 for update`, [id]);
    const made = Promise.all(calls.map((call) => call()));
    // A call that fails early never waits for the lock, so the wait below also ends when a call fails.
    const failed = made.then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    const waiting = `select from pg_stat_activity
      where datname = current_database() and usename <> 'postgres' and wait_event_type = 'Lock'`;
    await Promise.race([
      waitFor('every call to wait for the row', async () => (await database.rows(waiting)).length >= meeting),
      failed,
    ]);
    await holder.query('commit');
    return made;
  });

/** Locks the row of an interview while the calls run, as `meetAtRow` does. */
export const meetAtInterview = <T>(
  database: TestDatabase,
  id: string,
  calls: (() => Promise<T>)[],
): Promise<T[]> => meetAtRow(database, 'interview', { key: 'id', id }, calls);
