import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { reasonOf } from './error-reason';
import { endProcess } from './leftovers';
import { assertPortsFree } from './ports';
import { initCluster } from './postgres-cluster';
import { findPostgresAccount, findPostgresBinaries } from './postgres-binaries';
import { failWhenEnded, lastLines, startGuarded, type RunningProcess } from './processes';
import { readProcess } from './process-table';
import { StartError } from './start-error';
import { waitUntil } from './wait-until';

const version = '18';
/** Recovery after a crash is part of a start and may take long. */
const readyLimitMs = 60_000;
const lingeringLimitMs = 10_000;
const lingeringPollMs = 500;
const reapLimitMs = 2_000;
const pollMs = 50;
/** A fast shutdown, then the immediate one, which leaves recovery to the next start. */
const endSignals: NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];
const graceMs = 5_000;
/** SQLSTATE invalid_password. */
const wrongPassword = '28P01';

export interface PostgresSettings {
  dataDir: string;
  port: number;
  /** The password of the administrator `postgres`. The cluster gets it when it is created. */
  password: string;
  /** Created if it is missing. */
  database?: string;
  /** More arguments of the server, as in `['-c', 'fsync=off']`. */
  flags?: string[];
  logFile: string;
  /** Called with the server's process as soon as it exists, before it is ready. */
  onProcess?: (running: RunningProcess) => void;
}

export interface RunningPostgres extends RunningProcess {
  /** Returns the administrator's address of a database, by default `database`. */
  adminUrl(database?: string): string;
}

/**
 * Starts a Postgres on 127.0.0.1 with the cluster in `dataDir`, which is created if it is missing. A server left by a
 * killed start is ended first. Throws a StartError when it cannot run; nothing is left running then.
 */
export async function startPostgres(settings: PostgresSettings): Promise<RunningPostgres> {
  const { dataDir, port, password, logFile, database = 'platform' } = settings;
  const binaries = findPostgresBinaries();
  const account = findPostgresAccount(dataDir, binaries.postgres);
  if (existsSync(path.join(dataDir, 'PG_VERSION'))) {
    assertVersion(dataDir);
    await endLeftoverPostgres(dataDir);
  } else {
    await initCluster({ dataDir, password, binaries, account, logFile });
  }
  // If another program used the port, we would take its responses for those of our own server.
  await assertPortsFree([{ variable: 'POSTGRES_PORT', port }]);
  const adminUrl = (name = database) =>
    `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${encodeURIComponent(name)}`;
  const start = () => {
    const running = startGuarded({
      name: 'postgres',
      command: binaries.postgres,
      args: serverArguments(settings),
      cwd: dataDir,
      env: binaries.env,
      ...account,
      endSignals,
      graceMs,
      logFile,
    });
    settings.onProcess?.(running);
    return running;
  };
  const running = await startUntilReady(start, adminUrl('postgres'), settings);
  try {
    await createDatabase(adminUrl('postgres'), database);
  } catch (error) {
    await running.stop();
    throw error;
  }
  return { ...running, adminUrl };
}

/**
 * Ends the server that a killed start left on this cluster, if its guard was killed too. The file of a dead server stays,
 * because Postgres validates it together with the memory that its processes may still hold. The file is removed only when
 * Postgres would take its number for a running server: when the number now belongs to another program, or to a zombie that
 * is never reaped, as in a container whose first process does not reap.
 */
export async function endLeftoverPostgres(dataDir: string): Promise<void> {
  const file = path.join(dataDir, 'postmaster.pid');
  if (!existsSync(file)) return;
  const [line, folder] = readFileSync(file, 'utf8').split('\n');
  const pid = Number(line);
  const entry = readProcess(pid);
  if (entry && folder && entry.command.includes(folder))
    await endProcess(pid, () => readProcess(pid)?.startedAt === entry.startedAt, 'SIGINT');
  if (!(await waitUntil(() => !isNumberTaken(pid), reapLimitMs))) rmSync(file, { force: true });
}

/** Throws a StartError without the password when this database does not respond. */
export async function assertDatabaseAnswers(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    await client.query('select 1');
  } catch (error) {
    const { host, pathname } = new URL(databaseUrl);
    throw new StartError(
      `The database ${pathname.slice(1)} at ${host} does not answer (${reasonOf(error)}): correct DATABASE_URL, or unset it for one of our own.`,
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

function serverArguments({ dataDir, port, flags = [] }: PostgresSettings): string[] {
  const options = {
    listen_addresses: '127.0.0.1',
    // No socket file, because its folder would have to be writable by the server's account.
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
  };
  return [
    '-D',
    dataDir,
    '-p',
    String(port),
    ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ...flags,
  ];
}

async function startUntilReady(
  start: () => RunningProcess,
  url: string,
  { dataDir, logFile }: PostgresSettings,
): Promise<RunningProcess> {
  const lingeringUntil = Date.now() + lingeringLimitMs;
  for (;;) {
    const running = start();
    let over = false;
    void running.ended.then(() => (over = true));
    try {
      await Promise.race([waitUntilReady(url, dataDir, () => over), failWhenEnded(running)]);
      return running;
    } catch (error) {
      await running.stop();
      // The processes of a killed server release its memory some time later. Until then a new server refuses to start.
      if (!lastLines(logFile).includes('pre-existing shared memory block') || Date.now() > lingeringUntil)
        throw error;
    }
    await sleep(lingeringPollMs);
  }
}

async function waitUntilReady(url: string, dataDir: string, isOver: () => boolean): Promise<void> {
  const deadline = Date.now() + readyLimitMs;
  while (!isOver()) {
    const refusal = await tryConnect(url);
    if (refusal === undefined) return;
    if (refusal === wrongPassword)
      throw new StartError(
        `The password in secrets.json is not the one of ${dataDir}: begin anew with npm start -- --fresh.`,
      );
    if (Date.now() > deadline) throw new StartError(`Postgres does not get ready (${refusal}).`);
    await sleep(pollMs);
  }
}

/** Returns undefined when the server responds, or else the error code. */
async function tryConnect(url: string): Promise<string | undefined> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return reasonOf(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Uses a short connection to `postgres`, because a database with open connections cannot be copied. */
async function createDatabase(url: string, database: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
}

function assertVersion(dataDir: string): void {
  let found: string;
  try {
    found = readFileSync(path.join(dataDir, 'PG_VERSION'), 'utf8').trim();
  } catch (error) {
    throw new StartError(
      `${dataDir} cannot be read (${reasonOf(error)}): set LOCAL_DIR to a folder of this user.`,
    );
  }
  if (found !== version)
    throw new StartError(
      `${dataDir} was made by Postgres ${found}, this is ${version}: begin anew with npm start -- --fresh.`,
    );
}

function isNumberTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
