import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { reasonOf } from './error-reason';
import { StartError } from './start-error';

/** Where everything of one stack lies: what `.local/` stands for in the papers. */
export interface StateFolder {
  root: string;
  postgres: string;
  temporalDb: string;
  /** Recordings. */
  objects: string;
  /** Notes of the running processes, for the start after a killed one. */
  run: string;
  lock: string;
  stackFile: string;
  secretsFile: string;
  signingKeysFile: string;
  linkKeysFile: string;
  logFile(name: string): string;
}

/**
 * Makes the folder, for this user alone, if it is missing. Throws a StartError when it cannot be made or
 * written. A folder that is there keeps its mode: LOCAL_DIR may name one that others use as well.
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
 * Removes the data, for `--fresh`. Secrets stay: with an outside DATABASE_URL they open what is sealed there.
 */
export function removeData(folder: StateFolder): void {
  for (const data of [folder.postgres, folder.objects]) rmSync(data, { recursive: true, force: true });
  rmSync(folder.stackFile, { force: true });
  for (const name of readdirSync(folder.root))
    if (name.startsWith('temporal.db')) rmSync(path.join(folder.root, name), { force: true });
}

/** Removes the logs of the run before. */
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
 * The first folder above this path that the given account may not pass through; undefined when it gets there.
 * Looks at
 * the mode bits alone, not at access lists, and passes over folders that are yet to be made.
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
