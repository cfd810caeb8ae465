import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PrintedReport } from '../../api/reports/public';

/** The time limit of one document. A document of about 40 pages, which is the largest, takes two seconds. */
const timeLimitMs = 20_000;

/** Thrown for a document that exceeds the time limit. A retry would exceed the limit again. */
export class DocumentTooSlow extends Error {}

/** Thrown for a document that the compiler rejects. A retry would be rejected again. */
export class DocumentNotWritten extends Error {}

/**
 * Writes a report as PDF in a separate thread, so that the event loop of the worker is not blocked. The texts of the
 * report are data for the template, which never evaluates them.
 */
export const writePdf = (
  report: PrintedReport & { merchant: string },
  { script = path.join(__dirname, 'pdf-worker.js'), limitMs = timeLimitMs } = {},
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(script);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      settle();
      void worker.terminate();
    };
    const timer = setTimeout(
      () => end(() => reject(new DocumentTooSlow('a document took too long'))),
      limitMs,
    );
    worker.once('message', (pdf: Uint8Array) => end(() => resolve(Buffer.from(pdf))));
    worker.once('error', (error) => end(() => reject(new DocumentNotWritten(error.message))));
    worker.once('exit', () => end(() => reject(new Error('a document was not written'))));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
    worker.postMessage(JSON.stringify(report, wellFormed));
  });

/** Replaces lone surrogates, for which the compiler rejects the whole document. */
const wellFormed = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value;
