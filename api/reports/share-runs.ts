type Run = {
  result: Promise<unknown>;
  /** What it runs and for whom, undefined if it failed before it knew. */
  what: Promise<string | undefined>;
  waiting: number;
  stop: AbortController;
};

/** Calls `tellWhat` with everything that its result depends on, as soon as it knows. */
export type Work<T> = (signal: AbortSignal, tellWhat: (what: string) => void) => Promise<T>;

/** Lets callers who ask for the same at the same time share one run. */
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
    // It replaces an earlier run, which later callers cannot share if something has changed since.
    runs.set(request, run);
    return run;
  }

  const forget = (request: string, run: Run) => {
    if (runs.get(request) === run) runs.delete(request);
  };

  /** Waits for a run, which stops when the last of its callers has left. */
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
     * Waits for the run of this request if it is the same, or else begins one. The error of a run is that of the caller who
     * began it, so the others run their own.
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

/** Resolves like the promise, unless the signal aborts before. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new Error('Connection terminated: the caller is gone'));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
