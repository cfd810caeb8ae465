import { fork, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf, StartError } from './start-error';

/**
 * The program that a guard process starts, and the signals that end it. The guard ends the program when the stack is
 * gone.
 */
export interface Charge {
  command: string;
  args: string[];
  cwd?: string;
  uid?: number;
  gid?: number;
  /** The signals to send, in this order and each with its grace period, before SIGKILL. */
  endSignals: NodeJS.Signals[];
  graceMs: number;
}

interface ProcessSettings {
  name: string;
  env: NodeJS.ProcessEnv;
  /** Standard output and error are appended to this file. */
  logFile: string;
}

export interface RunningProcess {
  name: string;
  pid: number | undefined;
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
const readyLimitMs = 60_000;
const pollMs = 50;
const tailLines = 15;

/**
 * Starts one of our own entry files. `ready` resolves when the process reports that it is ready. It rejects with a
 * StartError if the process ends first.
 */
export function startNode(
  settings: ProcessSettings & { script: string },
): RunningProcess & { ready: Promise<void> } {
  const child = forkDetached(settings.script, [], ['--enable-source-maps'], settings);
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
  return asRunningProcess(
    forkDetached(compiledScript('guard'), [JSON.stringify(charge)], [], settings),
    settings,
  );
}

/**
 * Repeats `attempt` until it succeeds. Stops the process and throws a StartError if the process ends, if `attempt`
 * throws a StartError, or after a minute.
 */
export async function waitUntilReady(running: RunningProcess, attempt: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + readyLimitMs;
  const giveUp = new AbortController();
  const poll = async () => {
    while (!giveUp.signal.aborted) {
      try {
        return await attempt();
      } catch (error) {
        if (error instanceof StartError) throw error;
        if (Date.now() > deadline)
          throw new StartError(`${running.name} does not get ready (${reasonOf(error)}).`);
      }
      await sleep(pollMs);
    }
  };
  try {
    await Promise.race([poll(), failWhenEnded(running)]);
  } catch (error) {
    giveUp.abort();
    await running.stop();
    throw error;
  }
}

/** Returns the compiled form of a file of this folder. Tests start it from TypeScript, which Node 20 cannot run. */
export function compiledScript(name: string): string {
  const beside = path.join(__dirname, `${name}.js`);
  return existsSync(beside) ? beside : path.join(__dirname, '../dist/local', `${name}.js`);
}

/** Returns the last lines of a log for the terminal, or nothing when there is no log. */
export function lastLines(logFile: string): string {
  if (!existsSync(logFile)) return '';
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-tailLines).join('\n');
}

async function failWhenEnded(running: RunningProcess): Promise<never> {
  throw running.lastWords(await running.ended);
}

/**
 * Starts the child in its own process group. Then Ctrl-C in the terminal reaches only the supervisor, which ends
 * processes in order, and the child can be killed together with everything that it started.
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
    pid: child.pid,
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
