import { fork, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { recordProcess } from './leftovers';
import { StartError } from './start-error';

/** A program as its guard receives it. */
export interface Charge {
  command: string;
  args: string[];
  cwd?: string;
  uid?: number;
  gid?: number;
  /** The signals to send in this order before SIGKILL, each with its grace period. */
  endSignals: NodeJS.Signals[];
  graceMs: number;
}

export interface ProcessSettings {
  name: string;
  env: NodeJS.ProcessEnv;
  /** Both outputs are appended to this file. */
  logFile: string;
  /** Where to record the process for a later start (leftovers.ts). */
  recordFile?: string;
}

export interface RunningProcess {
  name: string;
  /** Resolves with the cause when the process has ended for any reason. */
  ended: Promise<string>;
  /** Returns the error for an unexpected end, with the last log lines. */
  lastWords(cause: string): StartError;
  /** Asks the process to end, kills it after the limit, and resolves when it is gone. */
  stop(limitMs?: number): Promise<void>;
  /** Kills the process and everything it started, at once. */
  kill(): void;
}

const stopLimitMs = 10_000;
const tailBytes = 16_384;
const tailLines = 15;

/**
 * Starts one of our own entry files. `ready` resolves when the process reports that it is ready, and throws a StartError if
 * it ends first.
 */
export function startNode(
  settings: ProcessSettings & { script: string },
): RunningProcess & { ready: Promise<void> } {
  const child = forkDetached(settings.script, [], ['--enable-source-maps'], settings);
  if (settings.recordFile !== undefined && child.pid !== undefined)
    recordProcess(settings.recordFile, child.pid);
  const running = asRunningProcess(child, settings);
  const said = new Promise<void>((resolve) =>
    child.on('message', (message) => {
      if (message === 'ready') resolve();
    }),
  );
  const ready = Promise.race([said, failWhenEnded(running)]);
  ready.catch(() => undefined);
  return { ...running, ready };
}

/** Starts a third-party program under a guard that ends it when this process is gone. */
export function startGuarded(settings: ProcessSettings & Charge): RunningProcess {
  const { command, args, cwd, uid, gid, endSignals, graceMs } = settings;
  const charge: Charge = { command, args, cwd, uid, gid, endSignals, graceMs };
  const child = forkDetached(compiledScript('guard'), [JSON.stringify(charge)], [], settings);
  child.on('message', (message) => {
    if (settings.recordFile === undefined || typeof message !== 'object' || message === null) return;
    if ('pid' in message && typeof message.pid === 'number') recordProcess(settings.recordFile, message.pid);
  });
  return asRunningProcess(child, settings);
}

/** Rejects with the process's `lastWords` when it ends. Never resolves. */
export async function failWhenEnded(running: RunningProcess): Promise<never> {
  throw running.lastWords(await running.ended);
}

/** Returns the compiled form of a file of this folder. Tests start it from TypeScript, which Node 20 cannot run. */
export function compiledScript(name: string): string {
  const beside = path.join(__dirname, `${name}.js`);
  return existsSync(beside) ? beside : path.join(__dirname, '../dist/local', `${name}.js`);
}

/** Returns the last lines of a log for the terminal, or nothing when there is no log. */
export function lastLines(logFile: string): string {
  if (!existsSync(logFile)) return '';
  const descriptor = openSync(logFile, 'r');
  try {
    const start = Math.max(0, fstatSync(descriptor).size - tailBytes);
    const tail = Buffer.alloc(tailBytes);
    const length = readSync(descriptor, tail, 0, tailBytes, start);
    return tail.subarray(0, length).toString('utf8').trimEnd().split('\n').slice(-tailLines).join('\n');
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The child gets its own process group. The terminal's Ctrl-C then reaches only the supervisor, which ends processes in
 * order, and the child can be killed together with what it started.
 */
function forkDetached(
  script: string,
  args: string[],
  execArgv: string[],
  settings: ProcessSettings,
): ChildProcess {
  const log = openSync(settings.logFile, 'a', 0o600);
  try {
    return fork(script, args, {
      env: settings.env,
      execArgv,
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
    });
  } finally {
    closeSync(log);
  }
}

function asRunningProcess(child: ChildProcess, { name, logFile }: ProcessSettings): RunningProcess {
  let gone = false;
  const kill = () => {
    if (gone || child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group is empty.
    }
  };
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => {
      // Kills what the child started, because a killed guard leaves its program running.
      kill();
      gone = true;
      resolve(signal ? `signal ${signal}` : `exit code ${code}`);
    });
  });
  return {
    name,
    ended,
    lastWords: (cause) =>
      new StartError(
        `${name} ended by itself (${cause}); the last lines of ${logFile}:\n${lastLines(logFile)}`,
      ),
    kill,
    stop: async (limitMs = stopLimitMs) => {
      child.kill('SIGTERM');
      const limit = setTimeout(kill, limitMs);
      await ended;
      clearTimeout(limit);
    },
  };
}
