import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { withAdminConnection } from '../db/platform/credentials';
import { commandLineOf } from './pid-file';
import { assertPortsFree } from './ports';
import { ensureCluster, type Cluster } from './postgres-cluster';
import { findPostgresInstallation } from './postgres-place';
import { lastLines, startGuarded, waitUntilReady, type RunningProcess } from './processes';
import { reasonOf, StartError } from './start-error';

const lingering = /pre-existing shared memory block|lock file "postmaster.pid" already exists/;
const lingeringLimitMs = 10_000;
const lingeringPollMs = 500;
/** SIGINT is a fast shutdown. SIGQUIT is an immediate one, after which the next start recovers. */
const endSignals: NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];
const graceMs = 5_000;
const connectLimitMs = 5_000;
/** The SQLSTATE `invalid_password`. */
const wrongPassword = '28P01';

interface PostgresSettings extends Cluster {
  port: number;
  /** The name of the database, which is created if it is missing. */
  database?: string;
  /** Further arguments of the server, for example `['-c', 'fsync=off']`. */
  flags?: string[];
  /** Called with the server's process as soon as it exists, before it is ready. */
  onProcess?: (running: RunningProcess) => void;
}

export interface RunningPostgres extends RunningProcess {
  /** The folder of the cluster, which can be another one than in the settings (postgres-place.ts). */
  dataDir: string;
  /**
   * Returns the address of a database, with the administrator's login. By default, this is the database of the
   * settings.
   */
  adminUrl(database?: string): string;
}

/**
 * Starts Postgres on 127.0.0.1 with the cluster in `dataDir` or its replacement (postgres-place.ts), which is created
 * if it is missing. If Postgres cannot run, throws a StartError and leaves nothing running.
 */
export async function startPostgres(settings: PostgresSettings): Promise<RunningPostgres> {
  const { port, password, logFile, flags = [], database = 'platform' } = settings;
  const { programs, dataDir, run } = findPostgresInstallation(settings.dataDir);
  await ensureCluster({ ...settings, dataDir }, programs, run);
  removeStalePidFile(dataDir);
  // If another program used the port, we would take its responses for those of our own server.
  await assertPortsFree([{ variable: 'POSTGRES_PORT', port }]);
  const adminUrl = (name = database) =>
    `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${encodeURIComponent(name)}`;
  const options = {
    listen_addresses: '127.0.0.1',
    // No socket file is used, because the account that runs the server would need write access to the folder of the
    // file.
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
  };
  const start = () => {
    const running = startGuarded({
      name: 'postgres',
      command: path.join(programs, 'postgres'),
      args: [
        '-D',
        dataDir,
        '-p',
        String(port),
        ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
        ...flags,
      ],
      cwd: dataDir,
      ...run,
      endSignals,
      graceMs,
      logFile,
    });
    settings.onProcess?.(running);
    return running;
  };
  const connect = async () => {
    try {
      // The connection to the database `postgres` is closed before the server is used, because a database with open
      // connections cannot be copied.
      await withAdminConnection(
        adminUrl('postgres'),
        (client) => createDatabase(client, database),
        connectLimitMs,
      );
    } catch (error) {
      if (reasonOf(error) !== wrongPassword) throw error;
      throw new StartError(
        `The password in secrets.json is not the one of ${dataDir}: start with npm start -- --fresh to delete it.`,
      );
    }
  };
  const lingeringUntil = Date.now() + lingeringLimitMs;
  for (;;) {
    const running = start();
    try {
      await waitUntilReady(running, connect);
      return { ...running, dataDir, adminUrl };
    } catch (error) {
      // After a server was killed, its processes take a moment to end and to release its shared memory. Until then no
      // new server can start, so the start is repeated.
      if (!lingering.test(lastLines(logFile)) || Date.now() > lingeringUntil) throw error;
    }
    await sleep(lingeringPollMs);
  }
}

/** Throws a StartError when this database does not respond. The message contains no password. */
export async function assertDatabaseAnswers(databaseUrl: string): Promise<void> {
  try {
    await withAdminConnection(databaseUrl, (client) => client.query('select 1'), connectLimitMs);
  } catch (error) {
    const { host, pathname } = new URL(databaseUrl);
    throw new StartError(
      `The database ${pathname.slice(1)} at ${host} does not answer (${reasonOf(error)}): correct DATABASE_URL, or unset it for one of our own.`,
    );
  }
}

async function createDatabase(client: Client, database: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
  if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(database)}`);
}

/**
 * Removes the pid file of a killed server if another program has its pid now, because Postgres would take that
 * program for a running server. In all other cases, Postgres needs the file to check whether the dead server's memory
 * is still in use.
 */
function removeStalePidFile(dataDir: string): void {
  const file = path.join(dataDir, 'postmaster.pid');
  if (!existsSync(file)) return;
  const command = commandLineOf(Number(readFileSync(file, 'utf8').split('\n')[0]));
  if (command !== '' && !command.includes(dataDir)) rmSync(file);
}
