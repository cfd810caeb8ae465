import { existsSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import type { ObjectStore } from '../../db/platform/object-store';
import type { SoundFile, SoundLimits } from './media';

export type MediaTask = { sizeBytes: number; /** Null to measure the length. */ limits: SoundLimits | null };
export type MediaRequest =
  | { kind: 'read'; start: number; end: number }
  | { kind: 'file'; file: SoundFile }
  | { kind: 'done'; lengthMs: number | null }
  | { kind: 'unreadable' };
/** The bytes that were asked for, or null after a file. */
export type MediaReply = Uint8Array | null;

type StoredMedia = { path: string; sizeBytes: number };
type Objects = Pick<ObjectStore, 'get'>;

/** How long the parser may compute without asking for bytes. Parsing 200 MiB asks for bytes at least every few MiB. */
const computeLimitMs = 5_000;
const heapLimitMb = 256;

/**
 * Returns how long a recording is according to its container, or null if the container cannot be read. Throws errors of
 * the object store.
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
 * Passes the sound of a recording to `onFile`, without the picture and as files of at most `maxBytes`, which follow one
 * another. Of a damaged recording, passes what can be read. Returns false if that is nothing. Throws errors of the object store and of
 * `onFile`.
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

/** Parses a recording in a thread of its own, which is ended if it computes too long. */
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
    // The thread ends by itself if the parser uses too much memory.
    thread.once('error', giveUp);
    thread.once('exit', giveUp);
    send({ sizeBytes, limits });
  });
}

/** Tests run from TypeScript files, which Node 20 cannot start as threads. */
function script(): string {
  const beside = path.join(__dirname, 'media-worker.js');
  return existsSync(beside) ? beside : path.join(__dirname, '../../dist/activities/taking/media-worker.js');
}
