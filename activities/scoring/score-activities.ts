import { setTimeout as wait } from 'node:timers/promises';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ModelCall } from '../../db/interviews/public';
import type { Database } from '../../db/platform/database';
import { wantsPdf } from '../../db/results/public';
import { findAttemptInput, findKnowledge } from '../../db/scoring/attempt-input';
import type { AttemptInput } from '../../db/scoring/attempt-input';
import { beginRun, countPendingTranscripts, failRun, lockRun, supersedeRun } from '../../db/scoring/runs';
import type { RunKey } from '../../db/scoring/runs';
import { listSamples } from '../../db/scoring/samples';
import { failures } from '../../workflows/failures';
import { withHeartbeat } from '../platform/heartbeat';
import type { Model } from '../providers/openai';
import { createCallRecorder } from '../taking/public';
import { answersOf, hasAnswer, isJudged, isReadByModel, sessionAnswersOf } from './attempt-answers';
import { recordScoringRun } from './record-run';
import type { TokenPrices } from './record-run';
import { createSampler } from './sample';
import type { ScoringOutcome } from './sample';
import { createScoringThread } from './scoring-thread';
import type { ScoringThread } from './scoring-thread';
import { wantsSentiment } from './total';

export type { ScoringOutcome } from './sample';
export type ScoringActivities = ReturnType<typeof createScoringActivities>;

type ScoringDeps = {
  database: Pick<Database, 'writeAsWorker' | 'queryAsWorker'>;
  model: Pick<Model, 'complete' | 'name'>;
  /** What the model costs. Undefined if no prices are configured. */
  prices: TokenPrices | undefined;
  onModelCall: (call: ModelCall) => void;
  /** Called when the scoring of a result has ended, for the metrics. */
  onScored: (outcome: 'scored' | 'failed' | 'superseded') => void;
  thread?: ScoringThread;
};

/** True if the model was away. Then only one sample is made first. */
type Probe = { is_probe?: boolean };

/** The time limit of one call of the model. */
const callMs = 60_000;
/** How long one attempt of `waitForTranscripts` waits, and the pause between two checks. */
const waitMs = 30_000;
const lookMs = 300;

/**
 * The activities that score a submitted attempt (docs/results.md#scoring). Each is safe to run twice: samples are
 * stored once, and a run writes only while it is the latest and has not ended. Their results and errors contain no
 * text of the interview and no data of people.
 */
export function createScoringActivities(deps: ScoringDeps) {
  const { database, model, prices, onModelCall, onScored, thread = createScoringThread() } = deps;
  const beginCall = createCallRecorder(database, onModelCall);
  const sample = createSampler({ database, model, beginCall });
  const find = async (key: RunKey, place: number | null): Promise<AttemptInput | undefined> =>
    (await database.queryAsWorker(findAttemptInput(key, place))).at(0);
  const supersede = async (key: RunKey): Promise<ScoringOutcome> => {
    await database.writeAsWorker((trx) => trx.count(supersedeRun(key)));
    onScored('superseded');
    return { state: 'stale' };
  };
  const countPending = async (key: RunKey): Promise<number> =>
    (await database.queryAsWorker(countPendingTranscripts(key)))[0]?.pending ?? 0;

  return {
    /**
     * Begins a run. Returns the steps of the plan whose answers the model judges, the number of transcripts that are not
     * there yet, and whether there is a résumé to read. Null means that the run is not the latest any more.
     */
    openScoring: async (
      key: RunKey,
    ): Promise<{ places: number[]; pending: number; has_resume?: boolean } | null> => {
      const isOpen = await database.writeAsWorker(async (trx) => {
        const locked = await trx.maybeOne(lockRun(key));
        if (locked) await trx.count(beginRun(key, locked.merchant_id));
        else await trx.count(supersedeRun(key));
        return locked !== undefined;
      });
      const input = isOpen ? await find(key, null) : undefined;
      if (!input) {
        onScored('superseded');
        return null;
      }
      const places = input.steps.filter(isReadByModel).map(({ place }) => place);
      return { places, pending: await countPending(key), has_resume: input.resume !== null };
    },

    /**
     * Waits until no transcript of the attempt is pending. After `waitMs`, throws TranscriptsPending, so that
     * Temporal tries again.
     */
    waitForTranscripts: (key: RunKey): Promise<void> =>
      withHeartbeat(async (signal) => {
        for (const until = Date.now() + waitMs; Date.now() < until;) {
          if ((await countPending(key)) === 0) return;
          await wait(lookMs, undefined, { signal });
        }
        throw ApplicationFailure.create({
          message: 'answers have no transcript yet',
          type: failures.transcriptsPending,
          category: ApplicationFailureCategory.BENIGN,
          nextRetryDelay: 1_000,
        });
      }),

    /**
     * Asks the model to assess the answer to a step of the plan three times, and stores the three samples. Then asks it
     * what in the answer contradicts the knowledge base of the question, if it has one.
     */
    scoreAnswer: async ({
      place,
      is_probe: isProbe = false,
      ...key
    }: RunKey & { place: number } & Probe): Promise<ScoringOutcome> => {
      const input = await find(key, place);
      const step = input?.steps[0];
      if (!input || !step) return supersede(key);
      if (!hasAnswer(step)) return { state: 'done' };
      const { question, language, rubric } = step;
      const { names, persona: character } = input;
      const said = { question, answers: answersOf(step), language, names, character };
      return withHeartbeat(async (signal) => {
        const limits = { timeoutMs: callMs, signal };
        if (rubric !== null && isJudged(step)) {
          const assessed = await sample(
            key,
            input,
            { subject: 'answer', place },
            { numbers: [1, 2, 3], isProbe },
            (recorded, number) =>
              thread.makeSample(
                { kind: 'answer', input: { ...said, rubric }, order: orderOf(number) },
                recorded,
                limits,
              ),
          );
          if (assessed.state !== 'done') return assessed;
        }
        const [knowledge] =
          step.knowledge_base_id === null
            ? []
            : await database.queryAsWorker(findKnowledge(input.merchant_id, step.knowledge_base_id));
        if (!knowledge) return { state: 'done' };
        return sample(
          key,
          input,
          { subject: 'comparison', place },
          { numbers: [1], isProbe: false },
          (recorded) =>
            thread.makeSample(
              { kind: 'comparison', input: { ...said, knowledge: knowledge.text } },
              recorded,
              limits,
            ),
        );
      });
    },

    /** Asks the model three times to assess all answers together by the rubric of the session. */
    scoreSession: async ({ is_probe: isProbe = false, ...key }: RunKey & Probe): Promise<ScoringOutcome> => {
      const input = await find(key, null);
      if (!input) return supersede(key);
      const { session_rubric: rubric, language, names, persona: character } = input;
      const answers = sessionAnswersOf(input.steps);
      if (rubric === null || answers.length === 0) return { state: 'done' };
      const wants_polarity = wantsSentiment(input);
      const asked = { rubric, answers, language, names, character, wants_polarity };
      return withHeartbeat((signal) =>
        sample(
          key,
          input,
          { subject: 'session', place: 0 },
          { numbers: [1, 2, 3], isProbe },
          (recorded, number) =>
            thread.makeSample({ kind: 'session', input: asked, order: orderOf(number) }, recorded, {
              timeoutMs: callMs,
              signal,
            }),
        ),
      );
    },

    /** Asks the model three times to assess the résumé by the rubric of the session. */
    scoreResume: async ({ is_probe: isProbe = false, ...key }: RunKey & Probe): Promise<ScoringOutcome> => {
      const input = await find(key, null);
      if (!input) return supersede(key);
      const { session_rubric: rubric, resume: text, language, names } = input;
      if (rubric === null || text === null) return { state: 'done' };
      const asked = { rubric, text, language, names };
      return withHeartbeat((signal) =>
        sample(
          key,
          input,
          { subject: 'resume', place: 0 },
          { numbers: [1, 2, 3], isProbe },
          (recorded, number) =>
            thread.makeSample({ kind: 'resume', input: asked, order: orderOf(number) }, recorded, {
              timeoutMs: callMs,
              signal,
            }),
        ),
      );
    },

    /** Asks the model to rank the verified evidence. The model sees no other part of the answers. */
    summarizeResult: async (key: RunKey): Promise<ScoringOutcome> => {
      const input = await find(key, null);
      if (!input) return supersede(key);
      const samples = await database.queryAsWorker(listSamples(key, input.merchant_id, null));
      if (samples.length === 0) return { state: 'done' };
      return withHeartbeat((signal) =>
        sample(key, input, { subject: 'summary', place: 0 }, { numbers: [1], isProbe: false }, (recorded) =>
          thread.makeSample({ kind: 'summary', input, samples }, recorded, {
            timeoutMs: callMs,
            signal,
          }),
        ),
      );
    },

    /** Computes the scores from the samples and writes them in one transaction, which also completes the result. */
    recordScoring: async (key: RunKey): Promise<{ is_written: boolean; wants_pdf?: boolean }> => {
      const recorded = await recordScoringRun(database, key, prices, thread.computeScores);
      if (recorded === 'stale') {
        await supersede(key);
        return { is_written: false };
      }
      if (recorded === 'written') onScored('scored');
      const [result] = await database.queryAsWorker(wantsPdf(key.result_id));
      return { is_written: true, wants_pdf: result?.wants_pdf === true };
    },

    /** Ends a run without scores. The result can be scored again. */
    failScoring: async ({ failure, ...key }: RunKey & { failure: string }): Promise<void> => {
      const isFailed = await database.writeAsWorker(async (trx) => {
        const locked = await trx.maybeOne(lockRun(key));
        if (locked) await trx.count(failRun(key, locked.merchant_id, failure));
        return locked !== undefined;
      });
      if (isFailed) onScored('failed');
    },
  };
}

/** The second sample lists the criteria in reverse order, so that the order has less influence on the score. */
const orderOf = (number: number): 0 | 1 => (number === 2 ? 1 : 0);
