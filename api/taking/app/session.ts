import type { AppData } from '../pages/app-data';
import { pauseBeforeRetry } from './portal-client';
import type { Portal } from './portal-client';
import { recordedFormat, startRecorder } from './recorder';
import type { Recorder } from './recorder';
import { uploadCalls } from './take';
import { createUpload } from './upload';
import type { Upload } from './upload';

/** How often a part is sent, in milliseconds. Short parts limit what is lost when the page is closed. */
const chunkMs = 10_000;
/**
 * When the recording ends, its last parts may still be uploaded for a while: as long as the pauses after this many
 * failed tries take together, which is at most 15 s.
 */
const patienceTries = 4;

export type SessionRecording = ReturnType<typeof createSessionRecording>;

/**
 * Records the whole session if the interview requires it, and uploads it in parts at the same time. When the
 * candidate chooses another device, a new recording begins.
 */
export function createSessionRecording({ sessionRecording: kind }: AppData, portal: Portal) {
  let current: { recorder: Recorder; upload: Upload } | undefined;
  let isOver = false;

  async function stop(): Promise<void> {
    const ending = current;
    current = undefined;
    if (!ending) return;
    const durationMs = await ending.recorder.stop();
    const patience = (async () => {
      for (let tries = 1; tries <= patienceTries; tries += 1) await pauseBeforeRetry(tries);
    })();
    await Promise.race([ending.upload.finish(durationMs), patience]);
  }

  return {
    get isRunning(): boolean {
      return current !== undefined;
    },
    /** Begins a recording of this stream, and ends the recording of an earlier stream. */
    async start(stream: MediaStream): Promise<void> {
      if (kind === null || isOver) return;
      await stop();
      const hasPicture = kind.startsWith('video') && stream.getVideoTracks().length > 0;
      const format = recordedFormat(hasPicture ? 'video' : 'audio');
      if (format === undefined) return;
      const upload = createUpload(uploadCalls(portal, { kind: 'session' }, format), {
        onWaiting: () => undefined,
        isPartEachChunk: true,
      });
      const onChunk = (chunk: Blob) => upload.add(chunk);
      current = { upload, recorder: startRecorder(stream, { format, isSession: true, chunkMs, onChunk }) };
    },
    /** Ends the recording and waits up to 15 seconds for the rest of the upload. */
    async end(): Promise<void> {
      isOver = true;
      await stop();
    },
    /** Completes the recording with the parts that are stored, because the page is being closed. */
    keep(): void {
      const stored = current?.upload.stored();
      if (!stored) return;
      const { recordingId: recording_id, parts } = stored;
      const json = { recording_id, parts, duration_ms: parts * chunkMs };
      void portal.call('recording-complete', { json, keepalive: true });
    },
  };
}
