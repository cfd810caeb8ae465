import { fork, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf, StartError } from './start-error';

/**
 * The program that a guard process (local/guard.ts) runs, and how to end it. The guard ends the program when the
 * stack has ended.
 */
export interface GuardedProgram {
  command: string;
  args: string[];
  cwd?: string;
  uid?: number;
  gid?: number;
  /**
   * The signals that end the program, in the order of sending. After each, the guard waits for `graceMs`; SIGKILL
   * comes last.
   */
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
  /** Returns an error for an unexpected end of the process, with the last lines of its log. */
  lastWords(cause: string): StartError;
  /** Asks the process to end and kills it after `limitMs`. Resolves when the process is gone. */
  stop(limitMs?: number): Promise<void>;
  /** Kills the process and everything that it has started, without asking it to end first. */
  kill(): void;
}

const stopLimitMs = 10_000;
const readyLimitMs = 60_000;
const pollMs = 50;
const tailLines = 15;

/**
 * Starts the API, the worker or the fakes by the entry file. `ready` resolves when the process reports that it is
 * ready, and rejects with a StartError if the process ends first.
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

/** Starts a third-party program under a guard process, which ends the program when this process is gone. */
export function startGuarded(settings: ProcessSettings & GuardedProgram): RunningProcess {
  const { command, args, cwd, uid, gid, endSignals, graceMs } = settings;
  const charge: GuardedProgram = { command, args, cwd, uid, gid, endSignals, graceMs };
  return asRunningProcess(
    forkDetached(compiledScript('guard'), [JSON.stringify(charge)], [], settings),
    settings,
  );
}

/**
 * Repeats `attempt` until it succeeds. Stops the process and throws a StartError if the process ends, if `attempt`
 * throws a StartError or when a minute has passed.
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

/**
 * Returns the compiled form of a TypeScript file of this folder. Tests run from TypeScript files, which Node 20
 * cannot start as processes.
 */
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
 * Starts the child in its own process group. A Ctrl-C in the terminal then reaches only the supervisor, which ends
 * the processes in their order. The child can be killed together with everything that it has started.
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
      // The signal cannot be sent if all processes of the group have already ended.
    }
  };
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => {
      // The processes that the child has started are killed too, because the program of a killed guard would keep
      // running.
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
