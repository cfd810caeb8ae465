import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { inTime } from '../wait-for';
import { infrastructure } from './infrastructure';

export type TestProcess = {
  /** Sends SIGKILL, like a crash. Resolves when the process is gone. */
  kill: () => Promise<void>;
  /** Sends SIGTERM, like a deployment. */
  stop: () => Promise<void>;
  signal: (signal: NodeJS.Signals) => void;
  /** The file with the output of the process to stdout and stderr. */
  logFile: string;
};

const root = path.resolve(__dirname, '../../..');
let count = 0;

/** The folder of a process's entry file. */
type Entry = 'api' | 'api/live' | 'activities';

/** Starts a compiled process with only these environment variables. Does not wait until it is ready. */
export const launchProcess = (entry: Entry, variables: NodeJS.ProcessEnv): TestProcess =>
  launch(entry, variables).process;

/** Starts the process and waits until it reports that it is ready. */
export async function startProcess(entry: Entry, variables: NodeJS.ProcessEnv): Promise<TestProcess> {
  const { process, ready } = launch(entry, variables);
  await ready();
  return process;
}

function launch(
  entry: Entry,
  variables: NodeJS.ProcessEnv,
): { process: TestProcess; ready: () => Promise<void> } {
  const log = path.join(infrastructure().folder, `${entry.replace('/', '-')}-${process.pid}-${++count}.log`);
  const child = fork(path.join(root, 'dist', entry, 'main.js'), {
    env: { PATH: process.env['PATH'], ...variables },
    execArgv: ['--max-semi-space-size=64'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const file = createWriteStream(log);
  let tail = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      file.write(chunk);
      tail = (tail + chunk.toString()).slice(-4_000);
    });
  const gone = once(child, 'exit');
  const isReady = new Promise<void>((resolve, reject) => {
    child.on('message', (message) => message === 'ready' && resolve());
    child.once('exit', (code) => reject(new Error(`${entry} ended with ${code}: ${tail}`)));
  });
  // This rejection is ignored, because `ready` rejects with the same error.
  isReady.catch(() => undefined);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await inTime(`${entry} to end after ${signal}`, gone);
  };
  return {
    ready: () =>
      inTime(`${entry} to be ready`, isReady).catch((error: Error) => {
        child.kill('SIGKILL');
        throw new Error(`${error.message}; its log ends with: ${tail}`, { cause: error });
      }),
    process: {
      kill: () => end('SIGKILL'),
      stop: () => end('SIGTERM'),
      signal: (signal) => void child.kill(signal),
      logFile: log,
    },
  };
}
