import { Readable } from 'node:stream';
import { log } from '@temporalio/activity';
import type { ModelCall } from '../../db/interviews/interview-building';
import { insertModelCall } from '../../db/interviews/interview-building';
import {
  beginVideoOrder,
  findQuestionVideo,
  planQuestionVideos,
  recordVideoFailure,
  recordVideoOrder,
  recordVideoReady,
  recordVideoUnsent,
} from '../../db/interviews/question-videos';
import type { VideoError, VideoToOrder } from '../../db/interviews/question-videos';
import type { Database } from '../../db/platform/database';
import { questionVideoPath } from '../../db/platform/object-path';
import type { ObjectStore } from '../../db/platform/object-store';
import { voiceSpeeds } from '../../db/taking/public';
import { withHeartbeat } from '../platform/heartbeat';
import { markVideo } from '../platform/mark-generated';
import { ProviderError } from '../providers/provider-error';
import type { VideoProvider, VideoStatus } from '../providers/video-provider';
import { measureRecording } from '../taking/public';

export type QuestionVideoActivities = ReturnType<typeof createQuestionVideoActivities>;

type VideoDeps = {
  database: Pick<Database, 'writeAsWorker'>;
  objects: Pick<ObjectStore, 'put' | 'delete'>;
  /** Undefined if no provider is configured. The drawn figure then speaks all questions. */
  videos: VideoProvider | undefined;
  /** Called after every video that was rendered or failed, for the metrics. */
  onModelCall: (call: ModelCall) => void;
};

/**
 * What an attempt has found: the video is `ordered`, `ready` or has `failed`, is still `rendering`, the provider is
 * `unavailable`, or the video is `gone`, because its question is no longer asked.
 */
export type VideoAttempt = {
  outcome: 'ordered' | 'rendering' | 'ready' | 'failed' | 'unavailable' | 'gone';
  /** Why the provider is unavailable or the video has failed. */
  failure?: string;
  retry_after_ms?: number;
};

const videoVersion = 'question-video/1';
const maxRetryAfterMs = 3_600_000;
/** A question of 5,000 characters takes about six minutes. */
const maxLengthMs = 10 * 60_000;
/** The time that the parser of a file may compute. */
const parseLimitMs = 5_000;

type Video = { video_id: string };

/**
 * The activities that render questions as videos. Each is safe to run twice. Their results and errors contain no text
 * of the interview.
 */
export function createQuestionVideoActivities({ database, objects, videos, onModelCall }: VideoDeps) {
  const find = (id: string) => database.writeAsWorker((trx) => trx.maybeOne(findQuestionVideo(id)));

  return {
    /** Plans the videos of an interview, and queues a workflow for each that does not exist yet. */
    planQuestionVideos: async ({ interview_id }: { interview_id: string }) => {
      if (!videos) return { planned: 0, is_configured: false };
      const { planned } = await database.writeAsWorker((trx) => trx.one(planQuestionVideos(interview_id)));
      return { planned, is_configured: true };
    },

    /**
     * Orders a video. Records the intent first. If an earlier attempt may have ordered the video without recording it,
     * first searches for its order at the provider.
     */
    orderVideo: async ({ video_id }: Video): Promise<VideoAttempt> => {
      const video = await database.writeAsWorker((trx) => trx.maybeOne(beginVideoOrder(video_id)));
      if (!video) return stateOf(video_id);
      try {
        const id = await withHeartbeat((signal) => order(video_id, video, signal));
        await database.writeAsWorker((trx) => trx.count(recordVideoOrder(video_id, id)));
        return { outcome: 'ordered' };
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        if (!error.retryable) return fail(video_id, 'rejected', error);
        if (isUnsent(error)) await database.writeAsWorker((trx) => trx.count(recordVideoUnsent(video_id)));
        return unavailable(error);
      }
    },

    /** Asks the provider how far a video is. Checks, marks and stores a finished one. */
    collectVideo: async ({ video_id }: Video): Promise<VideoAttempt> => {
      const video = await find(video_id);
      if (video?.state !== 'rendering' || video.provider_id === null) return stateOf(video_id);
      const { provider_id } = video;
      try {
        return await withHeartbeat(async (signal) => {
          if (!videos) throw notConfigured();
          const status = await videos.read(provider_id, signal);
          if (status.state === 'rendering') return { outcome: 'rendering' };
          if (status.state === 'failed') return fail(video_id, 'not_rendered', status);
          return store(video_id, video, await download(videos, status, signal), status.lengthMs);
        });
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        return unavailable(error);
      }
    },

    /** Marks a video as failed that was not rendered in time. The console shows it, and can queue it again. */
    giveUpVideo: async ({ video_id }: Video): Promise<VideoAttempt> => fail(video_id, 'gave_up'),
  };

  async function order(video_id: string, video: VideoToOrder, signal: AbortSignal): Promise<string> {
    if (!videos) throw notConfigured();
    const { text, speed, sent_ms, may_be_ordered } = video;
    const found = may_be_ordered ? await videos.find(video_id, sent_ms, signal) : undefined;
    return found ?? videos.order({ id: video_id, text, speed: voiceSpeeds[speed] }, signal);
  }

  /** Returns what became of a video that this attempt cannot work on. */
  async function stateOf(video_id: string): Promise<VideoAttempt> {
    const { state } = (await find(video_id)) ?? {};
    if (state === 'rendering') return { outcome: 'ordered' };
    return { outcome: state === 'ready' || state === 'failed' ? state : 'gone' };
  }

  /** Stores a file and marks the video as ready. If the video was deleted meanwhile, deletes the file again. */
  async function store(
    video_id: string,
    {
      merchant_id,
      interview_id,
      waited_ms,
    }: { merchant_id: string; interview_id: string; waited_ms: number | null },
    file: Buffer | undefined,
    chargedMs: number | null,
  ): Promise<VideoAttempt> {
    const marked = file && markVideo(file);
    const lengthMs = marked ? await lengthOf(marked) : null;
    // The provider charges a file that it has rendered, even if it is of no use.
    if (!marked || lengthMs === null || lengthMs > maxLengthMs)
      return fail(video_id, 'unusable_file', { chargedMs });
    const path = questionVideoPath(merchant_id, video_id);
    await objects.put(path, marked);
    const call = callOf({ merchant_id, interview_id, waited_ms }, 'accepted', lengthMs);
    const isStored = await database.writeAsWorker(async (trx) => {
      const ready = { durationMs: lengthMs, sizeBytes: marked.length };
      if ((await trx.count(recordVideoReady(video_id, ready))) === 0) return false;
      await trx.count(insertModelCall(call));
      return true;
    });
    if (isStored) {
      onModelCall(call);
      return { outcome: 'ready' };
    }
    const { outcome } = await stateOf(video_id);
    if (outcome === 'gone') await objects.delete(path);
    return { outcome };
  }

  async function fail(
    video_id: string,
    reason: VideoError,
    facts?: { code?: string | null | undefined; kind?: string; chargedMs?: number | null },
  ): Promise<VideoAttempt> {
    const call = await database.writeAsWorker(async (trx) => {
      const failed = await trx.maybeOne(recordVideoFailure(video_id, reason));
      if (!failed) return undefined;
      const failedCall = callOf(failed, 'failed', facts?.chargedMs ?? null);
      await trx.count(insertModelCall(failedCall));
      return failedCall;
    });
    if (!call) return stateOf(video_id);
    onModelCall(call);
    log.warn('a question has no video', { video_id, reason, kind: facts?.kind, code: facts?.code });
    return { outcome: 'failed', failure: reason };
  }

  /** Returns the entry of the ledger. It exists exactly once, because it is inserted together with the new state. */
  function callOf(
    video: { merchant_id: string; interview_id: string; waited_ms: number | null },
    outcome: ModelCall['outcome'],
    lengthMs: number | null,
  ): ModelCall {
    const { merchant_id, interview_id, waited_ms } = video;
    const price = videos?.minutePrice;
    return {
      merchant_id,
      interview_id,
      purpose: 'question_video',
      result_id: null,
      attempt: null,
      prompt_version: videoVersion,
      model: videos?.model ?? 'none',
      prompt_tokens: null,
      completion_tokens: null,
      duration_ms: Math.round(waited_ms ?? 0),
      cost_usd: price === undefined || lengthMs === null ? null : (price * lengthMs) / 60_000,
      outcome,
    };
  }
}

const notConfigured = () => new ProviderError('the video provider', 'not configured');

/** Downloads a finished video. Returns undefined if the provider serves no usable file. */
async function download(
  videos: VideoProvider,
  { address }: Extract<VideoStatus, { state: 'ready' }>,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  try {
    return await videos.download(address, signal);
  } catch (error) {
    if (error instanceof ProviderError && (!error.retryable || error.kind === 'too_long')) return undefined;
    throw error;
  }
}

/** Returns the length of a file in milliseconds, or null if it cannot be read. */
async function lengthOf(file: Buffer): Promise<number | null> {
  const memory = {
    get: async (_path: string, range = { start: 0, end: file.length }) => {
      const bytes = file.subarray(range.start, range.end);
      return { stream: Readable.from([bytes]), sizeBytes: bytes.length };
    },
  };
  const media = { path: 'memory', sizeBytes: file.length };
  return (await measureRecording(memory, media, parseLimitMs))?.lengthMs ?? null;
}

/** True if the provider certainly did not take the order: it was not reached, or its limit was reached. */
const isUnsent = ({ isUnsent: wasNotReached, kind }: ProviderError): boolean =>
  wasNotReached || kind === '429' || kind === 'not configured';

const unavailable = ({ kind, retryAfterMs = 0 }: ProviderError): VideoAttempt => ({
  outcome: 'unavailable',
  failure: kind,
  retry_after_ms: Math.min(retryAfterMs, maxRetryAfterMs),
});
