import { parentPort } from 'node:worker_threads';
import { copySound, findLengthMs } from './media';
import type { MediaBytes } from './media';
import type { MediaReply, MediaRequest, MediaTask } from './media-thread';

/*
 * This thread parses one recording. It requests the bytes from media-thread.ts, and waits for a reply after each file
 * that it sends.
 */

let resume: (reply: MediaReply) => void = () => undefined;

const ask = (request: MediaRequest): Promise<MediaReply> =>
  new Promise((resolve) => {
    resume = resolve;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
    parentPort?.postMessage(request);
  });

// Sends only one request at a time, because a reply always resumes the request that was sent last.
let last: Promise<unknown> = Promise.resolve();
const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
  const next = last.then(work, work);
  last = next;
  return next;
};

async function run({ sizeBytes, limits }: MediaTask): Promise<void> {
  const media: MediaBytes = {
    sizeBytes,
    read: (start, end) => inTurn(async () => (await ask({ kind: 'read', start, end })) ?? new Uint8Array(0)),
  };
  const lengthMs = limits === null ? await findLengthMs(media) : null;
  if (limits)
    await copySound(media, limits, (file) => inTurn(async () => void (await ask({ kind: 'file', file }))));
  void ask({ kind: 'done', lengthMs });
}

parentPort?.once('message', (task: MediaTask) => {
  parentPort?.on('message', (reply: MediaReply) => resume(reply));
  // Any error of the parser means that the recording cannot be read.
  run(task).catch(() => void ask({ kind: 'unreadable' }));
});
