import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** The first program of this name on the PATH; undefined when there is none. */
export function onPath(name: string, environment: NodeJS.ProcessEnv): string | undefined {
  return (environment.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name))
    .find(isProgram);
}

/** Whether this is a file that this user can run. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
