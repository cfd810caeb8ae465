import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** Returns the first program of this name on the PATH, or undefined. */
export function onPath(name: string, environment: NodeJS.ProcessEnv): string | undefined {
  return (environment.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name))
    .find(isProgram);
}

/** Whether this is a file that this user can execute. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
