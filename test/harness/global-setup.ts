import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrate } from '../../db/platform/migrate';
import { findFreePort } from '../../local/ports';
import { startPostgres } from '../../local/postgres';
import { seed } from '../../local/seed';
import { findTemporalServer } from '../../local/temporal-binary';
import { startTemporalServer } from '../../local/temporal-server';
import { searchAttributes } from '../../workflows/ids';
import { startLender } from './lender';
import { publishInfrastructure } from './platform/infrastructure';
import { startPgbouncer } from './platform/pgbouncer';
import { started } from './platform/started';

const memory = '/dev/shm';
const prefix = 'interview-platform-test-';
/** A run needs about 2 GiB. */
const neededBytes = 4 * 2 ** 30;

/**
 * Returns a new folder for the data of Postgres: in memory if there is room, otherwise `folder`. Each test file creates
 * a database of more than a thousand files or empties all tables, and on a disk that is a sixth of the CPU time of a run.
 * Removes what runs that were killed have left in memory.
 */
function dataFolder(folder: string): string {
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

/**
 * Starts the servers that all test files share: one Postgres with a migrated and seeded template database, one Temporal
 * server, and the lender, which starts platforms and the browser when they are needed.
 */
export default async function globalSetup(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'interview-platform-test-'));
  // When root runs the tests, Postgres runs as another user, which must be able to enter the folder.
  chmodSync(folder, 0o711);
  const data = dataFolder(folder);
  const secret = () => randomBytes(16).toString('hex');
  const [postgresPassword, apiPassword, workerPassword] = [secret(), secret(), secret()];
  const postgresPort = await findFreePort();

  const temporal = async () => {
    const server = await startTemporalServer({
      binary: await findTemporalServer({ onProgress: console.log }),
      port: await findFreePort(),
      searchAttributes,
      logFile: path.join(folder, 'temporal.log'),
    });
    started.push(server);
    return server.address;
  };
  const postgres = async () => {
    const server = await startPostgres({
      dataDir: path.join(data, 'postgres'),
      port: postgresPort,
      password: postgresPassword,
      database: 'seeded',
      // Postgres does not flush to disk, because no data has to survive a crash of the machine.
      flags: [
        '-c',
        'fsync=off',
        '-c',
        'synchronous_commit=off',
        '-c',
        'full_page_writes=off',
        '-c',
        'max_connections=300',
        // Autovacuum is off, because in the middle of a test it could change a plan or wait for a lock.
        '-c',
        'autovacuum=off',
      ],
      logFile: path.join(folder, 'postgres.log'),
    });
    started.push(server);
    const adminUrl = server.adminUrl();
    await migrate({ adminUrl, apiPassword, workerPassword });
    await seed(adminUrl);
    if (process.env['TEST_PGBOUNCER'] === undefined) return undefined;
    const passwords = { apiPassword, workerPassword };
    const pool = await startPgbouncer({ port: await findFreePort(), postgresPort, ...passwords, folder });
    started.push(pool);
    return pool.port;
  };
  const [temporalAddress, poolPort] = await Promise.all([temporal(), postgres()]);
  const facts = {
    folder,
    dataFolder: data,
    postgresPort,
    poolPort,
    postgresPassword,
    apiPassword,
    workerPassword,
    temporalAddress,
  };
  const lender = await startLender(folder);
  started.push(lender);
  publishInfrastructure({ ...facts, lenderUrl: lender.url });
}
