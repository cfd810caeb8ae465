import { parentPort } from 'node:worker_threads';
import type { TaskReply } from '../platform/kept-thread';
import { lowerPriority } from '../platform/lower-priority';
import { printResult } from './printed-result';

/* This thread prepares what a PDF shows (print-thread.ts). */

lowerPriority();

const send = (reply: TaskReply): void =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
  parentPort?.postMessage(reply);

parentPort?.on('message', (task: Parameters<typeof printResult>) => {
  try {
    send({ value: printResult(...task) });
  } catch (error) {
    send({ error });
  }
});
