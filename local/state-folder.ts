import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { reasonOf } from './error-reason';
import { StartError } from './start-error';

/** The paths of one stack's files, which the docs call `.local/`. */
export interface StateFolder {
  root: string;
  postgres: string;
  temporalDb: string;
  /** The files of the object store, such as recordings. */
  objects: string;
  /** Records of the running processes, for the next start after a kill. */
  run: string;
  lock: string;
  stackFile: string;
  secretsFile: string;
  signingKeysFile: string;
  linkKeysFile: string;
  logFile(name: string): string;
}

/**
 * Creates the folder for this user alone, if it is missing. Throws a StartError when it cannot be created or written. An
 * existing folder keeps its mode, because LOCAL_DIR may name one that others use as well.
 */
export function openStateFolder(root: string): StateFolder {
  const logs = path.join(root, 'logs');
  const run = path.join(root, 'run');
  try {
    if (mkdirSync(root, { recursive: true }) !== undefined) chmodSync(root, isRoot() ? 0o711 : 0o700);
    for (const folder of [logs, run]) {
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, 0o700);
    }
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
    run,
    lock: path.join(root, 'start.lock'),
    stackFile: path.join(root, 'stack.json'),
    secretsFile: path.join(root, 'secrets.json'),
    signingKeysFile: path.join(root, 'token-signing-keys.json'),
    linkKeysFile: path.join(root, 'link-signing-keys.json'),
    logFile: (name) => path.join(logs, `${name}.log`),
  };
}

/**
 * Removes the data for `--fresh`. Secrets stay, because with an outside DATABASE_URL they are needed to open what is sealed
 * there.
 */
export function removeData(folder: StateFolder): void {
  for (const data of [folder.postgres, folder.objects]) rmSync(data, { recursive: true, force: true });
  rmSync(folder.stackFile, { force: true });
  for (const name of readdirSync(folder.root))
    if (name.startsWith('temporal.db')) rmSync(path.join(folder.root, name), { force: true });
}

/** Removes the logs of the previous run. */
export function removeLogs(folder: StateFolder): void {
  const logs = path.dirname(folder.logFile('any'));
  for (const name of readdirSync(logs)) rmSync(path.join(logs, name), { recursive: true, force: true });
}

/** Writes the whole file or nothing, readable by this user alone. */
export function writePrivateJson(file: string, value: unknown): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/**
 * Returns the first folder above this path that the given account may not traverse, or undefined. It checks only the mode
 * bits, not access lists, and skips folders that do not exist yet.
 */
export function findClosedFolder(target: string, uid: number, gid: number): string | undefined {
  const parents: string[] = [];
  for (let folder = path.dirname(target); ; folder = path.dirname(folder)) {
    parents.unshift(folder);
    if (folder === path.dirname(folder)) break;
  }
  return parents.find((folder) => {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (!found) return false;
    const bit = found.uid === uid ? 0o100 : found.gid === gid ? 0o010 : 0o001;
    return (found.mode & bit) === 0;
  });
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
