import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { pdfText } from './pdf-text';

/** The time limit of one document. A report of about 40 pages, which is the largest, takes two seconds. */
const timeLimitMs = 20_000;
/**
 * The limit of the thread's JavaScript heap. The compiler's own memory does not count, but `maxDataBytes` bounds it.
 */
const heapLimitMb = 256;
/** The maximum size of a document's data. 1.4 MB of plain text took 6 s on a busy machine, and 200 MB of memory. */
const maxDataBytes = 2_000_000;

/** Thrown for a document that exceeds the limit of time or size. A retry would exceed the limit again. */
export class DocumentTooSlow extends Error {}

/** Thrown for a document that the compiler rejects. A retry would be rejected again. */
export class DocumentNotWritten extends Error {}

/**
 * Writes a PDF with a template (a `.typ` file) in a separate thread, so that the event loop of the worker is not
 * blocked. The template shows the texts in `data` and never evaluates them as code.
 */
export const writePdf = (
  template: string,
  data: unknown,
  { script = path.join(__dirname, 'pdf-worker.js'), limitMs = timeLimitMs } = {},
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const json = JSON.stringify(data, (_key, value: unknown) =>
      typeof value === 'string' ? pdfText(value) : value,
    );
    if (Buffer.byteLength(json) > maxDataBytes) {
      reject(new DocumentTooSlow('a document has too much text'));
      return;
    }
    const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: heapLimitMb } });
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
    worker.postMessage({ template, json });
  });
