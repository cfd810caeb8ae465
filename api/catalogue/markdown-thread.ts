import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CompiledMarkdown, MarkdownSource } from './markdown';

/**
 * The time limit for converting one page. A page of a megabyte takes three to five seconds. Visitors wait longer than
 * this limit (markdown-pages.ts), so they get either the page or the error about the limit.
 */
const timeLimitMs = 8_000;
/** The memory limit of the thread. The worst page took 700 MB. */
const memoryLimitMb = 1_024;

/** Thrown for a page that exceeded the time or memory limit. Compiling the page again would exceed the limit again. */
export class PageTooSlow extends Error {}

/**
 * Returns a function that compiles pages in a thread, one call at a time, and reuses the thread. If a page takes too
 * much time or memory, the function throws `PageTooSlow` and ends the thread.
 */
export function createMarkdownThread({
  script = path.join(__dirname, 'markdown-worker.js'),
  limitMs = timeLimitMs,
} = {}): (source: MarkdownSource) => Promise<CompiledMarkdown> {
  let kept: Worker | undefined;
  const start = (): Worker => {
    const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb } });
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (kept === worker) kept = undefined;
    });
    worker.unref();
    return worker;
  };
  return (source) =>
    new Promise((resolve, reject) => {
      const worker = (kept ??= start());
      const stopListening = () => {
        clearTimeout(timer);
        worker.off('message', succeed).off('error', fail).off('exit', exit);
      };
      const succeed = (page: CompiledMarkdown) => {
        stopListening();
        resolve(page);
      };
      const fail = (error: Error & { code?: string }) => {
        stopListening();
        kept = undefined;
        void worker.terminate();
        const isTooMuch = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        reject(isTooMuch ? new PageTooSlow('a page took too much memory') : error);
      };
      const exit = () => fail(new Error('a page was not compiled'));
      const timer = setTimeout(() => fail(new PageTooSlow('a page took too long to compile')), limitMs);
      worker.on('message', succeed).on('error', fail).on('exit', exit);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
      worker.postMessage(source);
    });
}
