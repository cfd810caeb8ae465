import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CompiledMarkdown, MarkdownSource } from './markdown';

/** A megabyte of whatever takes three to five seconds; shorter than a visitor waits (markdown-pages.ts). */
const timeLimitMs = 8_000;
/** The worst of them took 700. */
const memoryLimitMb = 1_024;

/** Thrown for a page that exceeded its time or memory, as it would the next time. */
export class PageTooSlow extends Error {}

/** Compiles a page in a thread of its own. Throws `PageTooSlow` when that takes too long or too much memory. */
export const compileInThread = (source: MarkdownSource, limitMs = timeLimitMs): Promise<CompiledMarkdown> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(path.join(__dirname, 'markdown-worker.js'), {
      workerData: source,
      resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb },
    });
    const timer = setTimeout(() => {
      reject(new PageTooSlow('a page took too long to compile'));
      void worker.terminate();
    }, limitMs);
    worker.once('message', resolve);
    worker.once('error', (error: Error & { code?: string }) =>
      reject(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new PageTooSlow('a page took too much memory') : error,
      ),
    );
    worker.once('exit', () => {
      clearTimeout(timer);
      reject(new Error('a page was not compiled'));
    });
    worker.unref();
  });
