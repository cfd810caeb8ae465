import { serveTasks } from '../../db/platform/kept-thread';
import type { AssessingModel } from './ask';
import { prepareAnswerAssessment, prepareResumeAssessment, prepareSessionAssessment } from './assess';
import { compareWithKnowledge } from './compare';
import { computeScores } from './compute-scores';
import { rankFindings } from './rank-findings';
import { runWithReplies } from './replay';
import type { SampleTask, ScoringTask } from './scoring-thread';
import { summaryInputOf } from './summary-input';
import type { ModelCallLimits, KnowledgeBaseComparison, Sample, RankedFindingsReply } from './types';

/* This thread reads answers and verifies what the model says about them (scoring-thread.ts). */

function makeSample(
  task: SampleTask,
  model: AssessingModel,
  limits: ModelCallLimits,
): Promise<Sample | RankedFindingsReply | KnowledgeBaseComparison> {
  if (task.kind === 'answer') return prepareAnswerAssessment(task.input)(model, task.order, limits);
  if (task.kind === 'resume') return prepareResumeAssessment(task.input)(model, task.order, limits);
  if (task.kind === 'comparison') return compareWithKnowledge(model, task.input, limits);
  if (task.kind === 'session') return prepareSessionAssessment(task.input)(model, task.order, limits);
  return rankFindings(model, summaryInputOf(task.input, task.samples), limits);
}

serveTasks((task: ScoringTask) =>
  task.kind === 'scores'
    ? JSON.stringify(computeScores(...task.input))
    : runWithReplies(task.model, (model, limits) => makeSample(task, model, limits), task.replies),
);
