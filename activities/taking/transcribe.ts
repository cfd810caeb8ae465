import { once } from 'node:events';
import type { EventEmitter } from 'node:events';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ApplicationFailure, log } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import type { Database } from '../../db/platform/database';
import type { ObjectStore } from '../../db/platform/object-store';
import { isoCodeOf } from '../../db/platform/vocabulary';
import { findTurnForDecision } from '../../db/taking/attempt-flow';
import type { TurnForDecision } from '../../db/taking/attempt-flow';
import { setTranscript } from '../../db/taking/attempt-work';
import { failures } from '../../workflows/failures';
import { withHeartbeat } from '../platform/heartbeat';
import { toFailure } from '../platform/provider-failure';
import { ProviderError } from '../providers/provider-error';
import { maxTranscribedBytes, meanConfidence } from '../providers/voice';
import type { Voice } from '../providers/voice';
import type { SoundFile } from './media';
import { splitSound } from './media-thread';
import type { CallRecorder } from './model-calls';

type TranscriptionDeps = {
  database: Pick<Database, 'writeAsWorker'>;
  objects: Pick<ObjectStore, 'get'>;
  /** Emits the id of a turn when the recording of its answer is joined. */
  joinedTurns: EventEmitter;
  voice: Voice;
  beginCall: CallRecorder;
};

/** The time to wait for a recording to be joined, and the time after which a notification may have been lost. */
const joinMs = 5_000;
const lookMs = 1_000;
const transcriptionVersion = 'transcription/1';
/** The limit for a transcript. It is the same as for a typed answer (docs/taking.md#operations-of-the-portal). */
const maxAnswerCharacters = 20_000;

/**
 * The activities that turn recordings into text. Each is safe to run twice, because a transcript is stored only once.
 */
export function createTranscriptionActivities({
  database,
  objects,
  joinedTurns,
  voice,
  beginCall,
}: TranscriptionDeps) {
  const store = (...transcript: Parameters<typeof setTranscript>) =>
    database.writeAsWorker((trx) => trx.rows(setTranscript(...transcript)));

  return {
    /**
     * Transcribes the recording of an answer as soon as it is joined, unless that is already done. A recording that can
     * never be transcribed is marked as failed. Returns whether the attempt was running before that. Throws
     * RecordingNotJoined, ModelUnavailable. Other failures are retried.
     */
    transcribeAnswer: async ({
      turn_id,
      within_ms,
    }: {
      turn_id: string;
      within_ms: number;
    }): Promise<{ is_running: boolean }> => {
      const turn = await withHeartbeat((signal) => findJoined(turn_id, signal));
      const state = { is_running: turn?.is_running ?? false };
      if (turn?.transcript_status !== 'pending') return state;
      const media = await findRecording(turn.recording_path);
      if (media === undefined) {
        await giveUp(turn_id);
        return state;
      }
      const record = beginCall({
        merchant_id: turn.merchant_id,
        interview_id: turn.interview_id,
        result_id: turn.result_id,
        attempt: turn.attempt,
        purpose: 'transcription',
        prompt_version: transcriptionVersion,
        model: voice.transcriptionModel,
      });
      try {
        const language = isoCodeOf(turn.platform_language_code);
        const heard = await withHeartbeat(async (signal) => {
          const parts: Awaited<ReturnType<Voice['transcribe']>>[] = [];
          const isRead = await readSound(objects, media, turn, async (file) => {
            const limits = { timeoutMs: within_ms, signal };
            const wantsConfidence = turn.scores_pronunciation;
            parts.push(await voice.transcribe({ ...file, language, wantsConfidence }, limits));
          });
          return isRead ? parts : undefined;
        });
        if (heard === undefined) {
          await giveUp(turn_id);
          await record('failed');
          return state;
        }
        const text = onlyWords(heard.map((part) => part.text).join(' '));
        const confidence = text === '' ? null : meanConfidence(heard.map((part) => part.confidence));
        await store(turn_id, text, 'done', confidence);
        await record('accepted');
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        await record('failed');
        // The provider rejected the file itself, so another attempt would fail too.
        if (error.kind === '400' || error.kind === '413') await store(turn_id, null, 'failed');
        else throw toFailure(error, failures.modelUnavailable, { isBenign: true });
      }
      return state;
    },

    /** Marks an answer as one without a transcript. The recording is kept. */
    giveUpTranscript: async ({ turn_id }: { turn_id: string }): Promise<void> => {
      log.error('gave up on a transcription', { turn_id });
      await store(turn_id, null, 'failed');
    },
  };

  /** Finds a turn once its recording is joined, for which it waits up to `joinMs`. */
  async function findJoined(turnId: string, signal: AbortSignal): Promise<TurnForDecision | undefined> {
    const endsAt = Date.now() + joinMs;
    for (;;) {
      // Listens before it looks, so that it misses no notification in between.
      const joined = once(joinedTurns, turnId, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(lookMs)]),
      }).catch(() => signal.throwIfAborted());
      joined.catch(() => undefined);
      const turn = await database.writeAsWorker((trx) => trx.maybeOne(findTurnForDecision(turnId)));
      if (turn?.recording_state !== 'completed') return turn;
      if (Date.now() >= endsAt) throw notJoined();
      await joined;
    }
  }

  async function giveUp(turnId: string): Promise<void> {
    log.warn('a recording cannot be transcribed', { turn_id: turnId });
    await store(turnId, null, 'failed');
  }

  async function findRecording(file: string | null): Promise<StoredMedia | undefined> {
    const opened = file === null ? undefined : await objects.get(file);
    opened?.stream.destroy();
    return file !== null && opened ? { path: file, sizeBytes: opened.sizeBytes } : undefined;
  }
}

type StoredMedia = { path: string; sizeBytes: number };

/**
 * A recording may be this much longer than its turn allows. The same tolerance applies to uploads
 * (docs/taking.md#recordings).
 */
const toleranceSeconds = 5;

/**
 * Passes a recording to `onFile` in one or more files that the provider accepts, without the picture and without the
 * sound after the time that the turn allows. If the sound cannot be extracted, passes the whole file, or returns
 * false if the file is too large.
 */
async function readSound(
  objects: TranscriptionDeps['objects'],
  media: StoredMedia,
  turn: Pick<TurnForDecision, 'recording_is_video' | 'recording_ms' | 'max_seconds'>,
  onFile: (file: SoundFile) => Promise<void>,
): Promise<boolean> {
  const { recording_is_video: isVideo, recording_ms: lengthMs, max_seconds: allowed } = turn;
  const maxSeconds = allowed === null ? null : allowed + toleranceSeconds;
  // The length of a recording that the parser reads slowly is not known yet.
  const isLong = maxSeconds !== null && (lengthMs === null || lengthMs > maxSeconds * 1_000);
  const isLarge = media.sizeBytes > maxTranscribedBytes;
  if (isVideo || isLong || isLarge) {
    const limits = { maxBytes: maxTranscribedBytes, maxSeconds };
    if (await splitSound(objects, media, limits, onFile)) return true;
    if (isLarge) return false;
  }
  const opened = await objects.get(media.path);
  if (!opened) throw new Error('A recording is missing in the object store');
  // The provider does not accept the extension `weba`, which stands for the same format as `webm`.
  const name = path.basename(media.path).replace(/\.weba$/, '.webm');
  await onFile({ name, bytes: await buffer(opened.stream) });
  return true;
}

/** Creates the failure for a recording that is not joined in time, for example because the object store is away. */
const notJoined = () =>
  ApplicationFailure.create({
    message: 'the recording is not joined yet',
    type: failures.recordingNotJoined,
    category: ApplicationFailureCategory.BENIGN,
  });

/**
 * Shortens a transcript to the limit. A transcript that consists only of punctuation counts as silence and becomes
 * empty.
 */
const onlyWords = (text: string): string =>
  /[\p{L}\p{N}]/u.test(text) ? text.slice(0, maxAnswerCharacters).toWellFormed() : '';
