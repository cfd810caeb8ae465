import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { removeCluster } from './postgres-place';
import { reasonOf, StartError } from './start-error';

/** The paths of one stack's files. The docs call the folder `.local/`. */
export interface StateFolder {
  root: string;
  postgres: string;
  temporalDb: string;
  /** The files of the object store, such as recordings. */
  objects: string;
  pidFile: string;
  stackFile: string;
  secretsFile: string;
  signingKeysFile: string;
  linkKeysFile: string;
  logFile(name: string): string;
}

/**
 * Creates the folder if it is missing, accessible to this user only. An existing folder keeps its mode, because
 * LOCAL_DIR can name a folder that other programs use, too. Throws a StartError when the folder cannot be created or
 * written.
 */
export function openStateFolder(root: string): StateFolder {
  const logs = path.join(root, 'logs');
  try {
    // When root starts the stack, Postgres runs as another user, who should be able to enter the folder.
    const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
    if (mkdirSync(root, { recursive: true }) !== undefined) chmodSync(root, mode);
    mkdirSync(logs, { recursive: true });
    chmodSync(logs, 0o700);
  } catch (error) {
    throw new StartError(
      `${root} cannot be used (${reasonOf(error)}): set LOCAL_DIR to a folder this user may write.`,
    );
  }
  return {
    root,
    postgres: path.join(root, 'postgres'),
    temporalDb: path.join(root, 'temporal.db'),
    objects: path.join(root, 'objects'),
    pidFile: path.join(root, 'pids.json'),
    stackFile: path.join(root, 'stack.json'),
    secretsFile: path.join(root, 'secrets.json'),
    signingKeysFile: path.join(root, 'token-signing-keys.json'),
    linkKeysFile: path.join(root, 'link-signing-keys.json'),
    logFile: (name) => path.join(logs, `${name}.log`),
  };
}

/**
 * Removes the data for `--fresh`. The secrets stay, because a database that runs elsewhere (DATABASE_URL) can have
 * values that were sealed with them.
 */
export function removeData(folder: StateFolder): void {
  removeCluster(folder.postgres);
  rmSync(folder.objects, { recursive: true, force: true });
  rmSync(folder.stackFile, { force: true });
  for (const name of readdirSync(folder.root))
    if (name.startsWith('temporal.db')) rmSync(path.join(folder.root, name), { force: true });
}

export function removeLogs(folder: StateFolder): void {
  const logs = path.dirname(folder.logFile('any'));
  for (const name of readdirSync(logs)) rmSync(path.join(logs, name), { recursive: true, force: true });
}

/** Writes the whole file or nothing. Only this user can read it. */
export function writePrivateJson(file: string, value: unknown): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}
