type Run = {
  result: Promise<unknown>;
  /** The hash that the work passed to `tellWhat`. Undefined if the work failed before that. */
  what: Promise<string | undefined>;
  waiting: number;
  stop: AbortController;
};

/**
 * The work of a shared run. As soon as it has read its input, it calls `tellWhat` with a hash of everything on which
 * the result depends.
 */
export type Work<T> = (signal: AbortSignal, tellWhat: (what: string) => void) => Promise<T>;

/** Lets callers that make the same request at the same time share one run. */
export type SharedRuns = ReturnType<typeof createSharedRuns>;

export function createSharedRuns() {
  const runs = new Map<string, Run>();

  function start<T>(request: string, work: Work<T>): Run {
    const stop = new AbortController();
    let tell: (what: string | undefined) => void = () => undefined;
    const what = new Promise<string | undefined>((resolve) => (tell = resolve));
    const run: Run = { result: work(stop.signal, tell), what, waiting: 0, stop };
    const end = () => {
      tell(undefined);
      forget(request, run);
    };
    run.result.then(end, end);
    // The new run replaces a running one of the same request, because the data may have changed since the earlier run
    // began.
    runs.set(request, run);
    return run;
  }

  const forget = (request: string, run: Run) => {
    if (runs.get(request) === run) runs.delete(request);
  };

  /** Waits for a run. Aborts the run when none of its callers is waiting any more. */
  async function join(request: string, run: Run, signal: AbortSignal): Promise<unknown> {
    run.waiting += 1;
    try {
      return await unlessAborted(run.result, signal);
    } finally {
      run.waiting -= 1;
      if (run.waiting === 0) {
        run.stop.abort();
        forget(request, run);
      }
    }
  }

  return {
    has: (request: string) => runs.has(request),

    /** Begins a run, which later callers can share. */
    begin: async <T>(request: string, signal: AbortSignal, work: Work<T>): Promise<T> =>
      (await join(request, start(request, work), signal)) as T,

    /**
     * Waits for the current run of this request if its hash is `what`, and otherwise begins a new run. If the run
     * that another caller began fails, this caller begins a new one.
     */
    async share<T>(request: string, what: string, signal: AbortSignal, work: Work<T>): Promise<T> {
      const run = runs.get(request);
      if (run && (await run.what) === what && !run.stop.signal.aborted)
        try {
          return (await join(request, run, signal)) as T;
        } catch (error) {
          if (signal.aborted) throw error;
        }
      return this.begin(request, signal, work);
    },
  };
}

/** Settles like the promise, or rejects if the signal aborts first. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new Error('Connection terminated: the caller is gone'));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
