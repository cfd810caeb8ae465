import type { PortalReply } from './reply';

/* Uploads a recording while it is being recorded. `Blob` is the only browser API that is used here. */

export type CreatedRecording = { recording_id: string; part_bytes: number; stored_parts: number[] };
/** The calls that an upload makes. `create` with `restart` discards what an earlier page has stored. */
export type UploadCalls = {
  create(restart: boolean): Promise<PortalReply<CreatedRecording>>;
  put(recordingId: string, part: number, bytes: Blob): Promise<PortalReply<unknown>>;
  complete(recordingId: string, parts: number, durationMs: number): Promise<PortalReply<unknown>>;
  /** Waits before the next try. */
  pause(tries: number): Promise<void>;
};
/** Why an upload ended: the limit of the attempt is reached, the recording was rejected, or the page is out of date. */
export type UploadProblem = 'full' | 'rejected' | 'gone';
export type UploadOutcome = { recordingId: string; durationMs: number } | { problem: UploadProblem };
export type Upload = ReturnType<typeof createUpload>;

/**
 * Sends the parts of a growing recording in order and repeats each until it is stored. After a lost connection, it
 * asks which parts are stored and sends the others. With `isPartEachChunk`, a chunk is sent at once instead of
 * waiting for a full part.
 */
export function createUpload(
  calls: UploadCalls,
  {
    onWaiting,
    onCreated,
    isPartEachChunk = false,
  }: {
    onWaiting: (isWaiting: boolean) => void;
    /** Called once, when the server has the recording, which has no part yet. */
    onCreated?: ((recordingId: string) => void) | undefined;
    isPartEachChunk?: boolean;
  },
) {
  /** The parts in their order. A part that is stored is null. */
  const parts: (Blob | null)[] = [];
  let rest: Blob[] = [];
  let created: CreatedRecording | undefined;
  let problem: UploadProblem | undefined;
  let isCancelled = false;
  let isEnding = false;
  let sending: Promise<void> | undefined;
  /** The call that is under way, or the last one. */
  let calling: Promise<unknown> | undefined;
  let tries = 0;
  /** Ends the pause before the next try. */
  let endPause = (): void => undefined;

  /** Cuts the chunks into parts. Bytes that do not fill a part stay in `rest`, unless `isAll` is true. */
  function cut({ part_bytes: most }: CreatedRecording): void {
    const isAll = isPartEachChunk || isEnding;
    const bytes = new Blob(rest);
    const end = isAll ? bytes.size : bytes.size - (bytes.size % most);
    for (let start = 0; start < end; start += most)
      parts.push(bytes.slice(start, Math.min(start + most, end)));
    rest = end < bytes.size ? [bytes.slice(end)] : [];
  }

  /** Repeats a call until its reply is not `away`. After each pause, reads which parts the server has stored. */
  async function callUntilDone<Body>(call: () => Promise<PortalReply<Body>>): Promise<Body | undefined> {
    for (;;) {
      if (isCancelled || problem) return undefined;
      const reply = await (calling = call());
      if (reply.kind === 'done') {
        if (tries > 0) onWaiting(false);
        tries = 0;
        return reply.body;
      }
      if (reply.kind !== 'away') {
        const isFull = reply.kind === 'conflict' && reply.code === 'limit_reached';
        problem = isFull ? 'full' : reply.kind === 'refused' ? 'rejected' : 'gone';
        return undefined;
      }
      onWaiting(true);
      tries += 1;
      await Promise.race([calls.pause(tries), new Promise<void>((resolve) => (endPause = resolve))]);
      if (created) await resume(created);
    }
  }

  /** Asks the server which parts it has stored and marks them as stored here, because a reply may have been lost. */
  async function resume({ recording_id }: CreatedRecording): Promise<void> {
    const reply = await calls.create(false);
    if (reply.kind !== 'done') return;
    if (reply.body.recording_id !== recording_id) problem = 'gone';
    else for (const part of reply.body.stored_parts) if (part <= parts.length) parts[part - 1] = null;
  }

  async function sendParts(): Promise<void> {
    if (!created) {
      created = await callUntilDone(() => calls.create(true));
      if (created) onCreated?.(created.recording_id);
    }
    if (!created) return;
    const { recording_id: id } = created;
    for (;;) {
      cut(created);
      const index = parts.findIndex((part) => part !== null);
      const bytes = parts[index];
      if (!bytes) return;
      const stored = await callUntilDone(async () =>
        parts[index] ? calls.put(id, index + 1, bytes) : ({ kind: 'done', body: true } as const),
      );
      if (stored === undefined) return;
      parts[index] = null;
    }
  }

  const send = (): Promise<void> =>
    (sending ??= sendParts().finally(() => {
      sending = undefined;
    }));

  return {
    /** Adds the next bytes of the recording. */
    add(chunk: Blob): void {
      rest.push(chunk);
      void send();
    },
    /** Sends the remaining bytes, and completes the recording. */
    async finish(durationMs: number): Promise<UploadOutcome> {
      isEnding = true;
      // The candidate now waits for the upload, so a running pause ends at once and later pauses are short.
      tries = Math.min(tries, 1);
      endPause();
      // The first call may wait for a `sendParts` that had found nothing more to send before `isEnding` was set. The
      // second call then sends the rest.
      await send();
      await send();
      const recordingId = created?.recording_id ?? '';
      if (!problem) await callUntilDone(() => calls.complete(recordingId, parts.length, durationMs));
      return problem || isCancelled ? { problem: problem ?? 'gone' } : { recordingId, durationMs };
    },
    /**
     * Returns the recording's id and the number of parts that are stored without a gap, or undefined if there are
     * none.
     */
    stored(): { recordingId: string; parts: number } | undefined {
      const gap = parts.findIndex((part) => part !== null);
      const count = gap === -1 ? parts.length : gap;
      return created && count > 0 ? { recordingId: created.recording_id, parts: count } : undefined;
    },
    /**
     * Stops the upload. Resolves when its last call has ended, because a late `create` would discard the recording that
     * comes next.
     */
    async cancel(): Promise<void> {
      isCancelled = true;
      await calling;
    },
  };
}
