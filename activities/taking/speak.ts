import { log } from '@temporalio/activity';
import type { Database } from '../../db/platform/database';
import { errorFacts } from '../../db/platform/error-facts';
import type { ObjectStore } from '../../db/platform/object-store';
import {
  findInterviewToSpeak,
  listTurnsToSpeak,
  sharedSpeechPath,
  voiceAndSpeedOf,
  speechPathOf,
} from '../../db/taking/speech';
import type { SpokenText } from '../../db/taking/speech';
import { failures } from '../../workflows/failures';
import { withHeartbeat } from '../platform/heartbeat';
import { markSpeech } from '../platform/mark-generated';
import { toFailure } from '../platform/provider-failure';
import { ProviderError } from '../providers/provider-error';
import type { Voice } from '../providers/voice';
import type { CallRecorder } from './model-calls';

type SpeechDeps = {
  database: Pick<Database, 'writeAsWorker'>;
  objects: Pick<ObjectStore, 'get' | 'put'>;
  voice: Voice;
  beginCall: CallRecorder;
};

/**
 * The number of texts that were rendered, and the number that the provider rejected. Texts that already had speech
 * are not counted.
 */
export type SpeechReport = { rendered: number; failed: number };

export type SpeakTurns = ReturnType<typeof createSpeechActivities>['speakTurns'];

type Speech = SpokenText & {
  path: string;
  merchant_id: string;
  interview_id: string;
  result_id: string | null;
  attempt: number | null;
};

const speechVersion = 'speech/1';
const callMs = 20_000;
/** The provider's limit for a text. Longer texts are shown but not spoken. */
const maxCharacters = 4_096;

/**
 * The activities that render texts as speech. Each is safe to run twice, because a text that already has a file is
 * skipped.
 */
export function createSpeechActivities({ database, objects, voice, beginCall }: SpeechDeps) {
  return {
    /**
     * Renders the given turn. If `turn_id` is null, renders the open turn and the next two turns of the plan. A call of the
     * provider takes at most `within_ms`. Throws ModelUnavailable.
     */
    speakTurns: async ({
      result_id,
      attempt,
      turn_id,
      within_ms = callMs,
    }: {
      result_id: string;
      attempt: number;
      turn_id: string | null;
      within_ms?: number;
    }): Promise<SpeechReport> => {
      const turns = await database.writeAsWorker((trx) =>
        trx.last(listTurnsToSpeak(result_id, attempt, turn_id)),
      );
      return renderAll(
        turns.map((turn) => ({ ...turn, path: speechPathOf(turn) })),
        within_ms,
      );
    },

    /** Renders all texts of an active interview. Throws ModelUnavailable. */
    speakInterview: async ({ interview_id }: { interview_id: string }): Promise<SpeechReport> => {
      const found = await database.writeAsWorker((trx) => trx.maybeOne(findInterviewToSpeak(interview_id)));
      const texts = (found?.texts ?? []).map((text) => ({
        ...text,
        path: sharedSpeechPath(text),
        merchant_id: found?.merchant_id ?? '',
        result_id: null,
        attempt: null,
      }));
      return renderAll(texts);
    },
  };

  /**
   * Renders the texts one after another, so that even an interview with 40 questions has only one call to the
   * provider in flight.
   */
  async function renderAll(texts: Speech[], timeoutMs = callMs): Promise<SpeechReport> {
    const report = { rendered: 0, failed: 0 };
    await withHeartbeat(async (signal) => {
      for (const speech of texts) {
        signal.throwIfAborted();
        const outcome = await render(speech, { timeoutMs, signal });
        if (outcome !== 'skipped') report[outcome] += 1;
      }
    });
    return report;
  }

  async function render(
    speech: Speech,
    limits: { timeoutMs: number; signal: AbortSignal },
  ): Promise<'rendered' | 'failed' | 'skipped'> {
    const sound = voiceAndSpeedOf(speech);
    if (!sound || speech.text.length > maxCharacters || (await exists(speech.path))) return 'skipped';
    const { merchant_id, interview_id, result_id, attempt } = speech;
    const record = beginCall({
      merchant_id,
      interview_id,
      result_id,
      attempt,
      purpose: 'speech',
      prompt_version: speechVersion,
      model: voice.speechModel,
    });
    try {
      const file = await voice.speak(speech.text, sound, limits);
      await objects.put(speech.path, markSpeech(file));
      await record('accepted');
      return 'rendered';
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      await record('failed');
      if (error.retryable) throw toFailure(error, failures.modelUnavailable, { isBenign: true });
      log.warn('a question has no speech', { error: errorFacts(error), kind: error.kind });
      return 'failed';
    }
  }

  async function exists(path: string): Promise<boolean> {
    const opened = await objects.get(path);
    opened?.stream.destroy();
    return opened !== undefined;
  }
}
