import type { PdfRequest } from './pdf-child';
import { startPdfProcess, PdfProcessFailed } from './pdf-process';
import type { PdfProcess } from './pdf-process';

/*
 * The compiler of PDF files is native code. A document can make it end its process or use all memory, so it runs in
 * child processes with limits of their own. The platform's own processes never load it.
 */

/** The time limit of one try. A report of about 40 pages, which is the largest, takes two seconds. */
const timeLimitMs = 30_000;
/** A document whose process ends or exceeds a limit may have met a busy machine, so it gets this many tries. */
const maxTries = 3;
/** The maximum size of a document's data, which is sent to the process in one message. */
const maxDataBytes = 4_000_000;
/**
 * A process that is larger than this after a document is replaced. The compiler loses 2 to 30 MB with each document.
 */
const maxWarmBytes = 350_000_000;
/** The number of processes that are kept for further documents. Starting one takes about 150 ms. */
const maxIdle = 2;

/** Thrown for a document that exceeds a limit of size, time or memory, also when it was tried again. */
export class DocumentTooLarge extends Error {}

/** Thrown for a document that the compiler rejects or that ends the compiler, also when it was tried again. */
export class DocumentNotWritten extends Error {}

export type PdfWriter = ReturnType<typeof createPdfWriter>;

/**
 * Creates a writer of PDF files. `close` ends its processes. `onFailedTry` gets the reason when a document ended its
 * process or exceeded a limit.
 */
export function createPdfWriter({
  limitMs = timeLimitMs,
  onFailedTry,
}: {
  limitMs?: number;
  onFailedTry: (reason: string) => void;
}) {
  const running = new Set<PdfProcess>();
  const idle: PdfProcess[] = [];

  const start = (): PdfProcess => {
    const started = startPdfProcess(() => {
      running.delete(started);
      const at = idle.indexOf(started);
      if (at !== -1) idle.splice(at, 1);
    });
    running.add(started);
    return started;
  };

  const tryOnce = async (used: PdfProcess, request: PdfRequest, signal?: AbortSignal): Promise<Buffer> => {
    let isReusable = false;
    try {
      const reply = await used.send(request, limitMs, signal);
      isReusable = reply.rss <= maxWarmBytes && idle.length < maxIdle;
      if (reply.pdf === undefined) throw new DocumentNotWritten(reply.reason);
      return Buffer.from(reply.pdf);
    } finally {
      if (isReusable && running.has(used)) idle.push(used);
      else used.end();
    }
  };

  return {
    /**
     * Writes a PDF with a template (a `.typ` file). The template shows the texts in `data` and never evaluates them as
     * code. The signal ends the work.
     */
    write: async (template: string, data: unknown, signal?: AbortSignal): Promise<Buffer> => {
      const json = JSON.stringify(data);
      if (Buffer.byteLength(json) > maxDataBytes)
        throw new DocumentTooLarge('the document has too much text');
      for (let tries = 1; ; tries += 1) {
        signal?.throwIfAborted();
        // Another try gets a new process, which has all of its memory for this document.
        const used = (tries === 1 ? idle.pop() : undefined) ?? start();
        try {
          return await tryOnce(used, { template, json }, signal);
        } catch (error) {
          if (!(error instanceof PdfProcessFailed)) throw error;
          onFailedTry(error.message);
          if (tries < maxTries) continue;
          throw error.isLimit ? new DocumentTooLarge(error.message) : new DocumentNotWritten(error.message);
        }
      }
    },
    close: (): void => {
      for (const each of running) each.end();
    },
  };
}
