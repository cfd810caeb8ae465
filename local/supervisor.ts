import type { RunningProcess } from './processes';

/**
 * The name of a process, and the time in milliseconds after the beginning of the shutdown at which the process is
 * killed if it is still running.
 */
type Ending = [name: string, killedAtMs: number];

type Starting = RunningProcess & { ready: Promise<void> };

type SupervisorSettings = {
  /** The names of all processes in the order in which they are ended. */
  endings: Ending[];
  print: (line: string) => void;
  /** Called with the pid of each process that was started, and of each that has ended. */
  started?: (pid: number) => void;
  ended?: (pid: number) => void;
};

export interface Supervisor {
  /**
   * Adds a process that is still starting, so that `end` ends it too. If the process fails, the code that starts it
   * reports the failure.
   */
  adopt: (running: RunningProcess) => void;
  /**
   * Adds a process that is ready. From then on, an unexpected end of the process makes `failed` reject. With
   * `startAgain`, the process is first started again, up to five times a minute.
   */
  watch(running: RunningProcess, startAgain?: () => Starting): void;
  /** Rejects with a StartError when a watched process ends unexpectedly. Never resolves. */
  failed: Promise<never>;
  /** Ends all processes in the order of `endings`, one after another. */
  end(): Promise<void>;
  kill(): void;
}

const maxRestarts = 5;
const restartWindowMs = 60_000;

/** Creates the supervisor of a stack's processes. */
export function createSupervisor({ endings, print, started, ended }: SupervisorSettings): Supervisor {
  const adopted = new Map<string, RunningProcess>();
  const restarts = new Map<string, number[]>();
  let ending = false;
  let fail: (error: unknown) => void;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // A caller that awaits `failed` later still gets the rejection. This handler prevents an unhandled rejection until
  // then.
  failed.catch(() => undefined);

  const adopt = (running: RunningProcess) => {
    const { name, pid } = running;
    if (ending) return running.kill();
    if (adopted.get(name) === running) return;
    adopted.set(name, running);
    if (pid !== undefined) started?.(pid);
    void running.ended.then(() => {
      if (adopted.get(name) === running) adopted.delete(name);
      if (pid !== undefined) ended?.(pid);
    });
  };

  /** Counts a restart and returns its number within the last minute, or undefined if there were too many. */
  const countRestart = (name: string): number | undefined => {
    const now = Date.now();
    const recent = (restarts.get(name) ?? []).filter((at) => at > now - restartWindowMs);
    if (recent.length >= maxRestarts) return undefined;
    restarts.set(name, [...recent, now]);
    return recent.length + 1;
  };

  const watch = (running: RunningProcess, startAgain?: () => Starting) => {
    adopt(running);
    void running.ended.then((cause) => {
      if (ending) return;
      const count = startAgain && countRestart(running.name);
      if (!startAgain || count === undefined) fail(running.lastWords(cause));
      else {
        print(
          `${running.name} ended by itself (${cause}) and is started again (${count} of at most ${maxRestarts} restarts a minute).`,
        );
        restart(startAgain);
      }
    });
  };

  /**
   * Starts a process again. If the process ends before it is ready, `watch` handles this like any other unexpected
   * end.
   */
  const restart = (startAgain: () => Starting) => {
    try {
      const next = startAgain();
      watch(next, startAgain);
      next.ready.then(
        () => print(`${next.name} is ready again.`),
        () => undefined,
      );
    } catch (error) {
      fail(error);
    }
  };

  return {
    failed,
    adopt,
    watch,
    async end() {
      ending = true;
      const start = Date.now();
      for (const [name, killedAtMs] of endings)
        await adopted.get(name)?.stop(Math.max(0, start + killedAtMs - Date.now()));
    },
    kill() {
      ending = true;
      for (const running of adopted.values()) running.kill();
    },
  };
}
