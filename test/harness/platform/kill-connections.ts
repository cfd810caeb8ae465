import type { TestDatabase } from './database';

/**
 * Ends the database connections with this application name, and blocks the process of the test until they are dead.
 * The code that uses the connections therefore notices the loss only when it runs the next time.
 */
export async function killUnnoticed(database: TestDatabase, applicationName: string): Promise<void> {
  const found = await database.rows<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = $1 and datname = current_database()`,
    [applicationName],
  );
  expect(found).not.toEqual([]);
  for (const { pid } of found) {
    if (isAlive(pid)) process.kill(pid, 'SIGTERM');
    const deadline = Date.now() + 50_000;
    while (isAlive(pid)) {
      if (Date.now() > deadline) throw new Error(`Waited in vain for process ${pid} to end`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
