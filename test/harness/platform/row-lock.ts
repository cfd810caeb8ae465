import { withAdmin } from '../../../db/platform/credentials';
import type { TestDatabase } from './database';
import { waitFor } from '../wait-for';

/**
 * Makes calls meet at a locked row. The lock is held until `meeting` calls (all by default) wait for it or for each
 * other. By then, each call has read what it reads before the lock, and no call has written.
 */
export const meetAtRow = <T>(
  database: TestDatabase,
  table: string,
  { key, id }: { key: string; id: string },
  calls: (() => Promise<T>)[],
  meeting = calls.length,
): Promise<T[]> =>
  withAdmin(database.adminUrl, async (holder) => {
    await holder.query('begin');
    await holder.query(`select from ${table} where ${key} = $1 for update`, [id]);
    const made = Promise.all(calls.map((call) => call()));
    // Failures are also caught here, because a call that fails early never waits for the lock.
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

/** Makes calls meet at the row of an interview. */
export const meetAtInterview = <T>(
  database: TestDatabase,
  id: string,
  calls: (() => Promise<T>)[],
): Promise<T[]> => meetAtRow(database, 'interview', { key: 'id', id }, calls);
