import { execFile } from 'node:child_process';
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { StartError } from './start-error';

/**
 * The version with which the benchmarks were measured and the histories of the replay test were recorded. A server
 * that is already on the machine can have another version.
 */
export const temporalVersion = '1.5.1';

/** A command that puts the program into a folder, and how long it may take. */
export interface Installer {
  name: string;
  limitMs: number;
  command: (folder: string) => { command: string; args: string[]; env?: NodeJS.ProcessEnv };
}

/**
 * Makes the SDK download its development server. The SDK does that only when it starts the server; whether the start
 * succeeds does not matter. This runs in a separate process, because the SDK handles the signals of its process.
 */
const download: Installer = {
  name: 'a download',
  // Without a network, the download fails immediately and does not need this time.
  limitMs: 45_000,
  command: (downloadDir) => {
    const server = { executable: { type: 'cached-download', downloadDir, version: `v${temporalVersion}` } };
    const script = `require('@temporalio/testing').TestWorkflowEnvironment.createLocal(${JSON.stringify({ server })})
      .then((environment) => environment.teardown(), ({ message }) => { console.error(message); process.exitCode = 1; })`;
    return { command: process.execPath, args: ['-e', script] };
  },
};
/** Builds the server from source with the Go tools of this machine. */
export const buildFromSource: Installer = {
  name: 'go install',
  limitMs: 30 * 60_000,
  command: (folder) => ({
    command: 'go',
    args: [
      'install',
      '-trimpath',
      '-ldflags',
      `-s -w -X github.com/temporalio/cli/temporalcli.Version=${temporalVersion}`,
      `github.com/temporalio/cli/cmd/temporal@v${temporalVersion}`,
    ],
    env: { GOBIN: folder, CGO_ENABLED: '0' },
  }),
};

interface FindTemporalSettings {
  /** Called with a line of text, again and again, while the program is being installed. */
  onProgress: (line: string) => void;
  environment?: NodeJS.ProcessEnv;
  /** The ways to install a server, in the order in which they are tried. Tests pass their own. */
  installers?: Installer[];
  /** The interval, in milliseconds, at which a line of progress is printed while an installer runs. */
  progressEveryMs?: number;
}

/**
 * Returns the path of a `temporal` program: the one that TEMPORAL_CLI_PATH names, one on the PATH, one in the user's
 * cache or, for a user whose home is read-only, one in `.local/cache`. If there is none, installs it in the first cache
 * that can be written, by a download or, if that fails, a build from source.
 * Throws a StartError that names these ways if none works.
 */
export async function findTemporalServer({
  onProgress,
  environment = process.env,
  installers = [download, buildFromSource],
  progressEveryMs = 30_000,
}: FindTemporalSettings): Promise<string> {
  const named = environment.TEMPORAL_CLI_PATH;
  if (named) {
    if (isProgram(named)) return path.resolve(named);
    throw new StartError(`TEMPORAL_CLI_PATH names ${named}, which is not a program this user can run.`);
  }
  const caches = [
    environment.XDG_CACHE_HOME || path.join(environment.HOME || homedir(), '.cache'),
    path.resolve(environment.LOCAL_DIR || '.local', 'cache'),
  ].map((folder) => path.join(folder, 'interview-platform', `temporal-${temporalVersion}`, 'temporal'));
  const onPath = (environment.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, 'temporal'));
  const found = [...onPath, ...caches].find(isProgram);
  if (found !== undefined) return found;
  const cached = caches.find(canHold);
  if (cached === undefined)
    throw new StartError(
      `The Temporal server can be stored neither at ${caches.join(' nor at ')}: open one.`,
    );
  // When the home is read-only, Go needs another folder for its own caches.
  const tools =
    cached === caches[0]
      ? environment
      : { ...environment, HOME: path.dirname(cached), GOFLAGS: '-modcacherw' };
  const failures: string[] = [];
  for (const installer of installers) {
    onProgress(`temporal: no server found, installing one by ${installer.name} (a few minutes, only once)`);
    const startedAt = Date.now();
    const progress = setInterval(() => {
      const seconds = Math.round((Date.now() - startedAt) / 1_000);
      onProgress(`temporal: still installing by ${installer.name}, ${seconds} s so far`);
    }, progressEveryMs);
    const failure = await install(installer, cached, tools).finally(() => clearInterval(progress));
    if (failure === undefined) return cached;
    failures.push(failure);
  }
  throw new StartError(
    `There is no Temporal server: set TEMPORAL_CLI_PATH to a temporal program (version ${temporalVersion}), put ` +
      `one on the PATH or at ${cached}, allow its download from temporal.download, install Go so that it can be ` +
      `built, or set TEMPORAL_ADDRESS to a running server (${failures.join('; ')}).`,
  );
}

/**
 * Installs the program into a temporary folder and moves it to its place when it is complete, so that concurrent
 * starts never find an incomplete program. Returns undefined, or the reason for the failure.
 */
async function install(
  { name, limitMs, command: describe }: Installer,
  target: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const draft = mkdtempSync(`${target}.draft-`);
  const { command, args, env } = describe(draft);
  let reason = 'it made nothing';
  try {
    // The command runs in this folder, so that it finds the installed packages.
    const options = { env: { ...environment, ...env }, cwd: __dirname, timeout: limitMs };
    await promisify(execFile)(command, args, options).catch((error: Error & { stderr?: string }) => {
      reason = (error.stderr?.trim() || error.message).split('\n').at(-1) ?? '';
    });
    const made = readdirSync(draft).find((name) => !name.endsWith('.downloading'));
    if (made === undefined) return `${name} failed (${reason.slice(0, 200)})`;
    renameSync(path.join(draft, made), target);
    return undefined;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Creates the folder of a file. Returns false if this user cannot write to it. */
function canHold(file: string): boolean {
  const folder = path.dirname(file);
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
