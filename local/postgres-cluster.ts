import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { PostgresAccount, PostgresBinaries } from './postgres-binaries';
import { startGuarded } from './processes';
import { StartError } from './start-error';

export interface NewCluster {
  dataDir: string;
  /** The password of the administrator `postgres`. */
  password: string;
  binaries: PostgresBinaries;
  account: PostgresAccount;
  logFile: string;
}

/**
 * Creates a cluster that is the same on every machine: UTF-8, the built-in C.UTF-8 order instead of the system's locales,
 * SCRAM passwords for all users. It is created under another name and renamed when complete, so an interrupted one is never
 * mistaken for a cluster. Throws a StartError with the log's last lines.
 */
export async function initCluster({
  dataDir,
  password,
  binaries,
  account,
  logFile,
}: NewCluster): Promise<void> {
  const draft = `${dataDir}.new-${process.pid}`;
  const passwordFile = path.join(draft, 'password');
  const cluster = path.join(draft, 'cluster');
  removeDrafts(dataDir);
  assertEmpty(dataDir);
  mkdirSync(cluster, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  for (const target of [draft, cluster, passwordFile]) giveTo(target, account);
  const initdb = startGuarded({
    name: 'initdb',
    command: binaries.initdb,
    args: [
      '-D',
      cluster,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ],
    cwd: draft,
    env: binaries.env,
    ...account,
    // An unfinished cluster needs no graceful shutdown.
    endSignals: [],
    graceMs: 0,
    logFile,
  });
  const cause = await initdb.ended;
  if (cause !== 'exit code 0') throw initdb.lastWords(cause);
  rmSync(dataDir, { recursive: true, force: true });
  renameSync(cluster, dataDir);
  rmSync(draft, { recursive: true, force: true });
}

function giveTo(target: string, { uid, gid }: PostgresAccount): void {
  if (uid !== undefined && gid !== undefined) chownSync(target, uid, gid);
}

/** Removes unfinished clusters of starts that were killed. */
function removeDrafts(dataDir: string): void {
  const parent = path.dirname(dataDir);
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent))
    if (name.startsWith(`${path.basename(dataDir)}.new-`))
      rmSync(path.join(parent, name), { recursive: true, force: true });
}

function assertEmpty(dataDir: string): void {
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0)
    throw new StartError(
      `${dataDir} holds something that is not a Postgres cluster: remove it, or set LOCAL_DIR to another folder.`,
    );
}
