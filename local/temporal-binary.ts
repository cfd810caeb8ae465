import { homedir } from 'node:os';
import path from 'node:path';
import { isProgram, onPath } from './program-path';
import { StartError } from './start-error';
import { downloadTemporal, installTemporal, type InstallAttempt } from './temporal-install';

/** The version used for the measurements and the recorded histories. A server found on the machine may have another one. */
export const temporalVersion = '1.5.1';

export interface FindTemporalSettings {
  /** Called with one line each when it takes longer. */
  onProgress: (line: string) => void;
  environment?: NodeJS.ProcessEnv;
  /** The two ways to install a server, in order. A test passes its own. */
  attempts?: InstallAttempt[];
}

/**
 * Returns the path of a `temporal` program: named by TEMPORAL_CLI_PATH, on the PATH, in the user's cache, or installed
 * there by a download or else by a build from source. Throws a StartError that names these ways when none of them works.
 */
export async function findTemporalServer({
  onProgress,
  environment = process.env,
  attempts = [downloadTemporal, installTemporal],
}: FindTemporalSettings): Promise<string> {
  const named = environment.TEMPORAL_CLI_PATH;
  if (named) {
    if (isProgram(named)) return path.resolve(named);
    throw new StartError(`TEMPORAL_CLI_PATH names ${named}, which is not a program this user can run.`);
  }
  const found = onPath('temporal', environment);
  if (found !== undefined) return found;

  const folder = cacheFolder(environment);
  const cached = path.join(folder, 'temporal');
  if (isProgram(cached)) return cached;
  const failures: string[] = [];
  for (const attempt of attempts) {
    const failure = await attempt({ target: cached, version: temporalVersion, environment, onProgress });
    if (failure === undefined) return cached;
    failures.push(failure);
  }
  throw new StartError(
    `There is no Temporal server: set TEMPORAL_CLI_PATH to a temporal program (version ${temporalVersion}), put ` +
      `one on the PATH or at ${cached}, allow its download from temporal.download, install Go so that it can be ` +
      `built, or set TEMPORAL_ADDRESS to a running server (${failures.join('; ')}).`,
  );
}

function cacheFolder(environment: NodeJS.ProcessEnv): string {
  const cache = environment.XDG_CACHE_HOME || path.join(environment.HOME || homedir(), '.cache');
  return path.join(cache, 'interview-platform', `temporal-${temporalVersion}`);
}
