import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import path from 'node:path';

const memory = '/dev/shm';
const prefix = 'interview-platform-test-';
/** A run needs about 2 GiB. */
const neededBytes = 4 * 2 ** 30;

/**
 * Returns a new folder for the data of Postgres: in memory if there is room, otherwise `folder`. Each test file creates
 * a database of more than a thousand files or empties all tables, and on a disk that is a sixth of the CPU time of a run.
 * Removes what runs that were killed have left in memory.
 */
export function dataFolder(folder: string): string {
  if (!existsSync(memory)) return folder;
  for (const name of readdirSync(memory)) {
    const pid = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    if (pid !== '' && !existsSync(`/proc/${pid}`))
      rmSync(path.join(memory, name), { recursive: true, force: true });
  }
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < neededBytes) return folder;
  const created = path.join(memory, `${prefix}${process.pid}`);
  mkdirSync(created);
  // When root runs the tests, Postgres runs as another user, which must be able to enter the folder.
  chmodSync(created, 0o711);
  return created;
}
