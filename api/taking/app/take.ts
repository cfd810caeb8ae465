import type { TakingText } from '../texts';
import type { AnswerInput } from './interview';
import { pauseBeforeRetry } from './portal-client';
import type { Portal } from './portal-client';
import { mediaTypeOf } from './recorder';
import type { Recorder } from './recorder';
import { createUpload } from './upload';
import type { CreatedRecording, UploadCalls, UploadOutcome, UploadProblem } from './upload';

/** What a recording belongs to: a turn, or the session. */
type Subject = { turn_id: string } | { kind: 'session' };

/** Returns the calls that upload a recording. */
export const uploadCalls = (portal: Portal, subject: Subject, format: string): UploadCalls => ({
  create: (restart) =>
    portal.call<CreatedRecording>('recording-create', {
      json: { ...subject, media_type: mediaTypeOf(format), restart },
    }),
  put: (recording_id, part, bytes) =>
    portal.call('recording-part', { query: { recording_id, part: String(part) }, bytes }),
  complete: (recording_id, parts, duration_ms) =>
    portal.call('recording-complete', { json: { recording_id, parts, duration_ms } }),
  pause: pauseBeforeRetry,
});

const problems: Record<UploadProblem, TakingText> = {
  full: 'recording_full',
  rejected: 'recording_failed',
  gone: 'recording_failed',
};

export type AnswerRecording = {
  /** Ends the recording and returns it for playback. */
  stop(): Promise<Blob>;
  /** Waits until the whole recording is stored and returns the answer, or what went wrong. */
  finish(): Promise<AnswerInput | { problem: TakingText }>;
  /** Stops recording and uploading. Resolves when no call of the upload is under way any more. */
  cancel(): Promise<void>;
};

type TakeOptions = {
  /** Starts the recorder, which passes its bytes to `onChunk`. */
  record: (onChunk: (chunk: Blob) => void) => Recorder;
  format: string;
  turnId: string;
  maxSeconds: number | null;
  onWaiting?: (isWaiting: boolean) => void;
  onCreated?: (recordingId: string) => void;
  /** Resolves when the previous take of this answer has stopped uploading. This take's upload begins only then. */
  after?: Promise<void> | undefined;
};

/** Records an answer of a turn, and uploads it at the same time. Throws if the recorder cannot be started. */
export function startAnswerRecording(
  portal: Portal,
  { record, format, turnId, maxSeconds, onWaiting = () => undefined, onCreated, after }: TakeOptions,
): AnswerRecording {
  const chunks: Blob[] = [];
  const calls = uploadCalls(portal, { turn_id: turnId }, format);
  const create: UploadCalls['create'] = async (restart) => {
    await after;
    return calls.create(restart);
  };
  const upload = createUpload({ ...calls, create }, { onWaiting, onCreated });
  const recorder = record((chunk) => {
    chunks.push(chunk);
    upload.add(chunk);
  });
  let uploaded: Promise<UploadOutcome> | undefined;
  return {
    async stop() {
      await recorder.stop();
      return new Blob(chunks, { type: mediaTypeOf(format) });
    },
    async finish() {
      const lengthMs = await recorder.stop();
      const durationMs = Math.min(lengthMs, (maxSeconds ?? Infinity) * 1_000);
      if (chunks.length === 0) return { problem: 'recording_failed' };
      const outcome = await (uploaded ??= upload.finish(durationMs));
      if ('problem' in outcome) return { problem: problems[outcome.problem] };
      return { recording_id: outcome.recordingId, duration_ms: outcome.durationMs };
    },
    async cancel() {
      void recorder.stop();
      await upload.cancel();
    },
  };
}
