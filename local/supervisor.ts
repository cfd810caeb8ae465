import type { RunningProcess } from './processes';

/** A process name and the time, from the start of the ending, at which it is killed if it is still there. */
export type Ending = [name: string, killedAtMs: number];

export interface Supervisor {
  /** Takes a process over that is still starting, to be ended in its turn; its starter tells when it fails. */
  adopt(running: RunningProcess): void;
  /** Takes one over that is ready: from now on its end by itself is a failure of the whole stack. */
  watch(running: RunningProcess): void;
  /** Rejects with a StartError when a adopted process ends by itself; never resolves. */
  failed: Promise<never>;
  /** Ends all in the order given, one after the other. */
  end(): Promise<void>;
  /** Kills all at once. */
  kill(): void;
}

/** Keeps the processes of one stack, of which each name is in `endings`, in the order to end them. */
export function createSupervisor(endings: Ending[]): Supervisor {
  const adopted = new Map<string, RunningProcess>();
  let ending = false;
  let fail: (error: Error) => void;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Whoever waits for it gets the rejection; without this a failure before that is an unhandled one.
  failed.catch(() => undefined);

  const adopt = (running: RunningProcess) => {
    if (ending) return running.kill();
    adopted.set(running.name, running);
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
