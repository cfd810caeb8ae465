import { ApplicationFailure } from '@temporalio/common';
import { createTaskThread, TaskTooLarge, threadScript } from '../../db/platform/kept-thread';
import type { AttemptInput } from '../../db/scoring/attempt-input';
import type { StoredSample } from '../../db/scoring/samples';
import { failures } from '../../workflows/failures';
import type { Model } from '../providers/openai';
import type { ComparisonInput } from './compare';
import type { computeScores, ComputedRun } from './compute-scores';
import { runWithModelCalls } from './replay';
import type { ModelReplies, ModelWorkState } from './replay';
import type {
  AnswerInput,
  ModelCallLimits,
  KnowledgeBaseComparison,
  ResumeInput,
  Sample,
  SessionInput,
  RankedFindingsReply,
} from './types';

/** A sample to make. `order` says in which order the prompt lists the criteria: 0 as in the rubric, 1 reversed. */
export type SampleTask =
  | { kind: 'answer'; input: AnswerInput; order: 0 | 1 }
  | { kind: 'session'; input: SessionInput; order: 0 | 1 }
  | { kind: 'resume'; input: ResumeInput; order: 0 | 1 }
  | { kind: 'comparison'; input: ComparisonInput }
  | { kind: 'summary'; input: AttemptInput; samples: StoredSample[] };
export type ScoringTask =
  | (SampleTask & { model: string; replies: ModelReplies })
  | { kind: 'scores'; input: Parameters<typeof computeScores> };
export type ScoringThread = ReturnType<typeof createScoringThread>;

/**
 * The limit of CPU time of one task, because wall time would end honest tasks on a busy machine. Ordinary answers take
 * milliseconds. 40 answers of 20,000 characters, chosen to be slow, take about four seconds.
 */
const taskLimitMs = 30_000;
const memoryLimitMb = 512;

/**
 * Creates the thread that does what takes time in proportion to the answers: to prepare them for the model, to verify
 * the model's replies, and to compute the scores. A task that exceeds the thread's limits ends the scoring
 * (`answers_too_large`).
 */
export function createScoringThread({
  script = threadScript(__dirname, 'scoring-worker.js'),
  limitMs = taskLimitMs,
} = {}) {
  const runTask = createTaskThread(script, {
    cpuMs: limitMs,
    clockMs: 10 * limitMs,
    heapMb: memoryLimitMb,
  });
  const run = (task: ScoringTask): Promise<unknown> =>
    runTask(task).catch((error: unknown) => {
      if (!(error instanceof TaskTooLarge)) throw error;
      throw ApplicationFailure.nonRetryable('answers_too_large', failures.scoringGivenUp);
    });
  return {
    /** Makes a sample. The thread says which calls of the model it needs, and this function makes them. */
    makeSample: (
      task: SampleTask,
      model: Pick<Model, 'complete' | 'name'>,
      limits: ModelCallLimits,
    ): Promise<Sample | RankedFindingsReply | KnowledgeBaseComparison> =>
      runWithModelCalls(
        (replies) =>
          run({ ...task, model: model.name, replies }) as Promise<
            ModelWorkState<Sample | RankedFindingsReply | KnowledgeBaseComparison>
          >,
        model,
        limits,
      ),
    /** Computes the scores. They come as JSON, so that they equal the stored ones if nothing changes. */
    computeScores: async (...input: Parameters<typeof computeScores>): Promise<ComputedRun> =>
      JSON.parse((await run({ kind: 'scores', input })) as string) as ComputedRun,
  };
}
