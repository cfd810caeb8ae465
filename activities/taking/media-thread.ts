import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { threadScript } from '../../db/platform/kept-thread';
import type { ObjectStore } from '../../db/platform/object-store';
import type { MeasuredMedia, SoundFile, SoundLimits } from './media';

/** If `limits` is null, the thread measures the recording instead of extracting its sound. */
export type MediaTask = { id: number; sizeBytes: number; limits: SoundLimits | null };
/** The requested bytes, or null in reply to a file. */
export type MediaReply = Uint8Array | null;
export type MediaMessage = { task: MediaTask } | { reply: MediaReply };
export type MediaRequest =
  | { kind: 'read'; start: number; end: number }
  | { kind: 'file'; file: SoundFile }
  | { kind: 'done'; measured: MeasuredMedia | null }
  | { kind: 'unreadable' };
/** A request with the id of its task, or the message that the thread is ready for its first task. */
export type ThreadMessage = (MediaRequest & { id: number }) | { kind: 'ready' };

type StoredMedia = { path: string; sizeBytes: number };
type Objects = Pick<ObjectStore, 'get'>;

/**
 * The time that the parser may compute while it extracts the sound of one file. An honest video of 200 MiB took 11
 * seconds on a busy machine. Files can be made so that the parser takes longer, or loops forever.
 */
const splitLimitMs = 30_000;
const heapLimitMb = 256;
/** A thread takes a tenth of a second to start, so up to this many stay for the next recordings. */
const idleLimit = 4;

/**
 * Measures a recording. Returns null if its container cannot be read, and undefined if that takes the parser longer than
 * `limitMs`. Throws the errors of the object store.
 */
export async function measureRecording(
  objects: Objects,
  media: StoredMedia,
  limitMs: number,
): Promise<MeasuredMedia | null | undefined> {
  const end = await parse(objects, media, null, async () => undefined, limitMs);
  if (end.kind === 'too_slow') return undefined;
  return end.kind === 'done' ? end.measured : null;
}

/**
 * Passes the sound of a recording to `onFile` in consecutive files of at most `maxBytes`, without the picture. If the
 * recording is damaged, passes the part that can be read, and returns false if there is none. Throws the errors of
 * the object store and of `onFile`.
 */
export async function splitSound(
  objects: Objects,
  media: StoredMedia,
  limits: SoundLimits,
  onFile: (file: SoundFile) => Promise<void>,
  limitMs = splitLimitMs,
): Promise<boolean> {
  let files = 0;
  const countFile = async (file: SoundFile) => {
    files += 1;
    await onFile(file);
  };
  await parse(objects, media, limits, countFile, limitMs);
  return files > 0;
}

type End = Extract<MediaRequest, { kind: 'done' | 'unreadable' }> | { kind: 'too_slow' };

/**
 * Parses a recording in a separate thread. Gives up and ends the thread when it has computed for `limitMs` in all. The
 * time that it waits for bytes or for `onFile` does not count.
 */
async function parse(
  objects: Objects,
  { path: objectPath, sizeBytes }: StoredMedia,
  limits: SoundLimits | null,
  onFile: (file: SoundFile) => Promise<void>,
  limitMs: number,
): Promise<End> {
  const thread = idle.pop() ?? (await startThread());
  thread.ref();
  const id = ++lastTask;
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let leftMs = limitMs;
    let sentAt = 0;
    let isEnded = false;
    const end = (settle: () => void, isReusable = false) => {
      if (isEnded) return;
      isEnded = true;
      clearTimeout(timer);
      thread.off('message', onMessage).off('error', giveUp).off('exit', giveUp);
      if (isReusable) keep(thread);
      else void thread.terminate();
      settle();
    };
    const giveUp = () => end(() => resolve({ kind: 'unreadable' }));
    const stop = () => end(() => resolve({ kind: 'too_slow' }));
    const send = (message: MediaMessage) => {
      if (isEnded) return;
      if (leftMs <= 0) return stop();
      sentAt = performance.now();
      timer = setTimeout(stop, leftMs);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
      thread.postMessage(message);
    };
    const answer = async (request: MediaRequest): Promise<void> => {
      clearTimeout(timer);
      leftMs -= performance.now() - sentAt;
      if (request.kind === 'read') {
        const opened = await objects.get(objectPath, request);
        if (!opened) throw new Error('A recording is missing in the object store');
        send({ reply: await buffer(opened.stream) });
      } else if (request.kind === 'file') {
        await onFile(request.file);
        send({ reply: null });
      } else end(() => resolve(request), request.kind === 'done');
    };
    const onMessage = (message: ThreadMessage) => {
      // The parser may still request bytes for a recording that it has finished.
      if (message.kind === 'ready' || message.id !== id) return;
      answer(message).catch((error: unknown) => end(() => reject(error)));
    };
    thread.on('message', onMessage);
    // The thread ends by itself if the parser uses too much memory. The recording then counts as unreadable.
    thread.once('error', giveUp).once('exit', giveUp);
    send({ task: { id, sizeBytes, limits } });
  });
}

/** Threads that have parsed a recording without an error and wait for another one. */
const idle: Worker[] = [];
let lastTask = 0;

async function startThread(): Promise<Worker> {
  const thread = new Worker(threadScript(__dirname, 'media-worker.js'), {
    resourceLimits: { maxOldGenerationSizeMb: heapLimitMb },
  });
  await once(thread, 'message');
  thread.on('error', () => undefined);
  thread.once('exit', () => {
    if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
  });
  return thread;
}

function keep(thread: Worker): void {
  // An idle thread does not keep the process alive.
  thread.unref();
  if (idle.length < idleLimit) idle.push(thread);
  else void thread.terminate();
}
