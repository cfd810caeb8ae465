import type { RunningProcess } from './processes';

/**
 * A process name, and the time at which that process is killed if it is still running: milliseconds after the shutdown
 * began.
 */
type Ending = [name: string, killedAtMs: number];

export interface Supervisor {
  /**
   * Takes over a process that is still starting, so that `end` ends it too. The code that starts it reports its
   * failure.
   */
  adopt: (running: RunningProcess) => void;
  /** Takes over a process that is ready. From then on, its unexpected end makes the whole stack fail. */
  watch(running: RunningProcess): void;
  /** Rejects with a StartError when a watched process ends unexpectedly. Never resolves. */
  failed: Promise<never>;
  /** Ends all processes in the given order, one after another. */
  end(): Promise<void>;
  kill(): void;
}

/**
 * Keeps the processes of one stack. `endings` lists every name in the order in which the processes are ended. `record`
 * is called with the pid of each process.
 */
export function createSupervisor(endings: Ending[], record?: (pid: number) => void): Supervisor {
  const adopted = new Map<string, RunningProcess>();
  let ending = false;
  let fail: (error: Error) => void;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Callers that await `failed` still get the rejection. This handler prevents an unhandled rejection before they do.
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
