import { createTaskThread, TaskTooLarge, threadScript } from '../../db/platform/kept-thread';
import { DocumentTooLarge } from '../platform/pdf-writer';
import type { printResult, PrintedResult } from './printed-result';

/** The limits of one document. Preparing 300,000 characters, which is the most, takes less than a second. */
const limits = { cpuMs: 30_000, clockMs: 300_000, heapMb: 256 };

export type PrintResult = (...task: Parameters<typeof printResult>) => Promise<PrintedResult>;

/**
 * Returns a function that prepares what a PDF shows in a thread, because long answers would block the event loop of
 * the worker. Throws DocumentTooLarge for a result that exceeds the limits.
 */
export function createPrintThread(): PrintResult {
  const run = createTaskThread(threadScript(__dirname, 'print-worker.js'), limits);
  return (...task) =>
    run(task).catch((error: unknown) => {
      throw error instanceof TaskTooLarge ? new DocumentTooLarge(error.message) : error;
    }) as Promise<PrintedResult>;
}
