import { existsSync } from 'node:fs';
import path from 'node:path';
import { parentPort, Worker } from 'node:worker_threads';

/** Thrown for a task that exceeded its thread's limit of time or memory. Another attempt would exceed it again. */
export class TaskTooLarge extends Error {}

/** What the script of a thread sends for each task (`serveTasks`). */
type TaskReply = { value: unknown } | { error: unknown };

const root = path.join(__dirname, '../..');

/**
 * Returns the path of the compiled script of a thread. `folder` is that of the calling module. Tests run from
 * TypeScript files, which Node 20 cannot start as threads, so they use the script of the build.
 */
export function threadScript(folder: string, name: string): string {
  const beside = path.join(folder, name);
  return existsSync(beside) ? beside : path.join(root, 'dist', path.relative(root, folder), name);
}

/** The limits of a task. `cpuMs` is CPU time of the whole process, because Node 20 does not tell that of a thread. */
type TaskLimits = { cpuMs?: number; clockMs: number; heapMb: number };

/**
 * Returns a function that has a thread work on tasks, one at a time, so that they do not block the event loop. The
 * thread is kept for the next task. A task that exceeds a limit ends the thread, and the next task starts a new one.
 */
export function createTaskThread(
  script: string,
  { cpuMs = Infinity, clockMs, heapMb }: TaskLimits,
): (task: unknown) => Promise<unknown> {
  let kept: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const start = (): Worker => {
    const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: heapMb } });
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (kept === worker) kept = undefined;
    });
    worker.unref();
    return worker;
  };
  const run = (task: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const worker = (kept ??= start());
      const stopListening = () => {
        clearTimeout(timer);
        worker.off('message', settle).off('error', fail).off('exit', exit);
      };
      const settle = (reply: TaskReply) => {
        stopListening();
        if ('value' in reply) resolve(reply.value);
        else reject(reply.error);
      };
      const fail = (error: Error & { code?: string }) => {
        stopListening();
        kept = undefined;
        void worker.terminate();
        const isTooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        reject(isTooLarge ? new TaskTooLarge('a task took too much memory') : error);
      };
      const exit = () => fail(new Error('a thread ended before its task'));
      const cpuEnd = usedCpuMs() + cpuMs;
      const clockEnd = performance.now() + clockMs;
      let timer: NodeJS.Timeout | undefined;
      const checkTime = () => {
        const left = Math.min(cpuEnd - usedCpuMs(), clockEnd - performance.now());
        if (left > 0) timer = setTimeout(checkTime, left);
        else fail(new TaskTooLarge('a task took too much time'));
      };
      checkTime();
      worker.on('message', settle).on('error', fail).on('exit', exit);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
      worker.postMessage(task);
    });

  return (task) => {
    const result = last.then(() => run(task));
    last = result.catch(() => undefined);
    return result;
  };
}

/** Returns the CPU time that this process has used, in milliseconds. */
function usedCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Does the tasks that `createTaskThread` sends to this thread. */
export function serveTasks(work: (task: never) => unknown): void {
  const send = (reply: TaskReply): void =>
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
    parentPort?.postMessage(reply);
  parentPort?.on('message', async (task: unknown) => {
    try {
      send({ value: await work(task as never) });
    } catch (error) {
      send({ error });
    }
  });
}
