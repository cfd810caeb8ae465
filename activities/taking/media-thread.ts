import { existsSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import type { ObjectStore } from '../../db/platform/object-store';
import type { SoundFile, SoundLimits } from './media';

/** If `limits` is null, the thread measures the length of the recording instead of extracting its sound. */
export type MediaTask = { sizeBytes: number; limits: SoundLimits | null };
export type MediaRequest =
  | { kind: 'read'; start: number; end: number }
  | { kind: 'file'; file: SoundFile }
  | { kind: 'done'; lengthMs: number | null }
  | { kind: 'unreadable' };
/** The requested bytes, or null in reply to a file. */
export type MediaReply = Uint8Array | null;

type StoredMedia = { path: string; sizeBytes: number };
type Objects = Pick<ObjectStore, 'get'>;

/**
 * The parser may compute for this long without requesting bytes. A parser that makes progress requests more bytes
 * after a few MiB.
 */
const computeLimitMs = 5_000;
const heapLimitMb = 256;

/**
 * Returns the length of a recording in milliseconds according to its container, or null if the container has none or
 * cannot be read. Throws the errors of the object store.
 */
export async function measureMs(
  objects: Objects,
  media: StoredMedia,
  limitMs = computeLimitMs,
): Promise<number | null> {
  const end = await parse(objects, media, null, async () => undefined, limitMs);
  return end.kind === 'done' ? end.lengthMs : null;
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
  limitMs = computeLimitMs,
): Promise<boolean> {
  let files = 0;
  const countFile = async (file: SoundFile) => {
    files += 1;
    await onFile(file);
  };
  await parse(objects, media, limits, countFile, limitMs);
  return files > 0;
}

type End = Extract<MediaRequest, { kind: 'done' | 'unreadable' }>;

/** Parses a recording in a separate thread, and ends the thread if it computes for longer than `limitMs`. */
function parse(
  objects: Objects,
  { path: objectPath, sizeBytes }: StoredMedia,
  limits: SoundLimits | null,
  onFile: (file: SoundFile) => Promise<void>,
  limitMs: number,
): Promise<End> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(script(), { resourceLimits: { maxOldGenerationSizeMb: heapLimitMb } });
    let timer: NodeJS.Timeout | undefined;
    let isEnded = false;
    const end = (settle: () => void) => {
      isEnded = true;
      clearTimeout(timer);
      settle();
      void thread.terminate();
    };
    const giveUp = () => end(() => resolve({ kind: 'unreadable' }));
    const send = (message: MediaTask | MediaReply) => {
      if (isEnded) return;
      timer = setTimeout(giveUp, limitMs);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
      thread.postMessage(message);
    };
    const answer = async (request: MediaRequest): Promise<void> => {
      clearTimeout(timer);
      if (request.kind === 'read') {
        const opened = await objects.get(objectPath, request);
        if (!opened) throw new Error('A recording is missing in the object store');
        send(await buffer(opened.stream));
      } else if (request.kind === 'file') {
        await onFile(request.file);
        send(null);
      } else end(() => resolve(request));
    };
    thread.on('message', (request: MediaRequest) => {
      answer(request).catch((error: unknown) => end(() => reject(error)));
    });
    // The thread ends by itself if the parser uses too much memory. The recording then counts as unreadable.
    thread.once('error', giveUp);
    thread.once('exit', giveUp);
    send({ sizeBytes, limits });
  });
}

/**
 * Returns the path of the compiled script of the thread. Tests run from TypeScript files, which Node 20 cannot start
 * as threads, so they use the script of the build.
 */
function script(): string {
  const beside = path.join(__dirname, 'media-worker.js');
  return existsSync(beside) ? beside : path.join(__dirname, '../../dist/activities/taking/media-worker.js');
}
