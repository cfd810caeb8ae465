import { parentPort } from 'node:worker_threads';
import { copySound, measureMedia } from './media';
import type { MediaBytes } from './media';
import type { MediaMessage, MediaReply, MediaRequest, MediaTask, ThreadMessage } from './media-thread';

/*
 * This thread parses one recording after the other. It requests the bytes from media-thread.ts, and waits for a reply
 * after each file that it sends.
 */

let current = 0;
let resume: (reply: MediaReply) => void = () => undefined;

const post = (message: ThreadMessage): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
  parentPort?.postMessage(message);
};

async function run({ id, sizeBytes, limits }: MediaTask): Promise<MediaRequest> {
  const ask = (request: MediaRequest): Promise<MediaReply> =>
    new Promise((resolve) => {
      // What the parser still wants to read of an earlier recording gets no reply.
      if (id !== current) return;
      resume = resolve;
      post({ ...request, id });
    });
  // Sends only one request at a time, because a reply always resumes the request that was sent last.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
  const media: MediaBytes = {
    sizeBytes,
    read: (start, end) => inTurn(async () => (await ask({ kind: 'read', start, end })) ?? new Uint8Array(0)),
  };
  if (limits === null) return { kind: 'done', measured: await measureMedia(media) };
  await copySound(media, limits, (file) => inTurn(async () => void (await ask({ kind: 'file', file }))));
  return { kind: 'done', measured: null };
}

parentPort?.on('message', (message: MediaMessage) => {
  if ('reply' in message) {
    resume(message.reply);
    return;
  }
  const { task } = message;
  current = task.id;
  // Any error of the parser means that the recording cannot be read.
  void run(task)
    .catch((): MediaRequest => ({ kind: 'unreadable' }))
    .then((end) => {
      current = 0;
      post({ ...end, id: task.id });
    });
});
post({ kind: 'ready' });
