import type { RunningProcess } from './processes';

/**
 * The name of a process, and the time in milliseconds after the beginning of the shutdown at which the process is
 * killed if it is still running.
 */
type Ending = [name: string, killedAtMs: number];

export interface Supervisor {
  /**
   * Adds a process that is still starting, so that `end` ends it too. If the process fails, the code that starts it
   * reports the failure.
   */
  adopt: (running: RunningProcess) => void;
  /** Adds a process that is ready. From then on, an unexpected end of the process makes `failed` reject. */
  watch(running: RunningProcess): void;
  /** Rejects with a StartError when a watched process ends unexpectedly. Never resolves. */
  failed: Promise<never>;
  /** Ends all processes in the order of `endings`, one after another. */
  end(): Promise<void>;
  kill(): void;
}

/**
 * Creates the supervisor of a stack's processes. `endings` lists the names of all processes in the order in which
 * they are ended. `record` is called with the pid of each process.
 */
export function createSupervisor(endings: Ending[], record?: (pid: number) => void): Supervisor {
  const adopted = new Map<string, RunningProcess>();
  let ending = false;
  let fail: (error: Error) => void;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // A caller that awaits `failed` later still gets the rejection. This handler prevents an unhandled rejection until
  // then.
  failed.catch(() => undefined);

  const adopt = (running: RunningProcess) => {
    if (ending) return running.kill();
    adopted.set(running.name, running);
    if (running.pid !== undefined) record?.(running.pid);
    void running.ended.then(() => adopted.delete(running.name));
  };

  return {
    failed,
    adopt,
    watch(running) {
      adopt(running);
      void running.ended.then((cause) => {
        if (!ending) fail(running.lastWords(cause));
      });
    },
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
