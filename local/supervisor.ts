import type { RunningProcess } from './processes';

/**
 * A process name, and the milliseconds after the start of the shutdown at which the process is killed if it is still there.
 */
export type Ending = [name: string, killedAtMs: number];

export interface Supervisor {
  /** Takes over a process that is still starting, to be ended in its turn. Its starter reports when it fails. */
  adopt: (running: RunningProcess) => void;
  /** Takes over a process that is ready. From now on an unexpected end is a failure of the whole stack. */
  watch(running: RunningProcess): void;
  /** Rejects with a StartError when a watched process ends unexpectedly. Never resolves. */
  failed: Promise<never>;
  /** Ends all processes in the given order, one after another. */
  end(): Promise<void>;
  /** Kills all processes at once. */
  kill(): void;
}

/**
 * Keeps the processes of one stack. Every name must be in `endings`, which gives the order in which they are ended.
 * `record` is called with the id of each process.
 */
export function createSupervisor(endings: Ending[], record?: (pid: number) => void): Supervisor {
  const adopted = new Map<string, RunningProcess>();
  let ending = false;
  let fail: (error: Error) => void;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Consumers of `failed` get the rejection. Without this, a failure before that would be an unhandled rejection.
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
