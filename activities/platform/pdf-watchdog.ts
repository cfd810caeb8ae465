import { workerData } from 'node:worker_threads';

/*
 * This thread of a process that writes PDF files (pdf-child.ts) ends the process if it uses too much memory, or if the
 * worker has ended without it. The compiler blocks the main thread, which therefore cannot check anything.
 */

const maxBytes = 1_073_741_824;
const everyMs = 200;

/** The id of the worker's process. If the worker ends, this process gets another parent. */
const worker = workerData as number;

setInterval(() => {
  if (process.ppid !== worker || process.memoryUsage.rss() > maxBytes) process.kill(process.pid, 'SIGKILL');
}, everyMs);
