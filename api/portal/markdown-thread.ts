import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CompiledMarkdown, MarkdownSource } from './markdown';

/** A megabyte of whatever takes three to five seconds; shorter than a visitor waits (markdown-pages.ts). */
const timeLimitMs = 8_000;
/** The worst of them took 700. */
const memoryLimitMb = 1_024;

/** Compiles a page in a thread of its own. Rejects where that takes too long or too much memory. */
export const compileInThread = (source: MarkdownSource): Promise<CompiledMarkdown> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(path.join(__dirname, 'markdown-worker.js'), {
      workerData: source,
      resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb },
    });
    const timer = setTimeout(() => {
      reject(new Error('a page took too long to compile'));
      void worker.terminate();
    }, timeLimitMs);
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => {
      clearTimeout(timer);
      reject(new Error('a page was not compiled'));
    });
    worker.unref();
  });
