import { parentPort } from 'node:worker_threads';
import type { TaskReply } from '../platform/kept-thread';
import { lowerPriority } from '../platform/lower-priority';
import type { AssessingModel } from './ask';
import { prepareAnswer, prepareSession } from './assess';
import { computeScores } from './compute-scores';
import { replay } from './replay';
import type { SampleTask, ScoringTask } from './scoring-thread';
import { summarize } from './summarize';
import { summaryInputOf } from './summary-input';
import type { CallLimits, Sample, Summary } from './types';

/* This thread reads answers and verifies what the model says about them (scoring-thread.ts). */

lowerPriority();

function makeSample(task: SampleTask, model: AssessingModel, limits: CallLimits): Promise<Sample | Summary> {
  if (task.kind === 'answer') return prepareAnswer(task.input)(model, task.order, limits);
  if (task.kind === 'session') return prepareSession(task.input)(model, task.order, limits);
  return summarize(model, summaryInputOf(task.input, task.samples), limits);
}

const work = async (task: ScoringTask): Promise<unknown> =>
  task.kind === 'scores'
    ? JSON.stringify(computeScores(...task.input))
    : replay(task.model, (model, limits) => makeSample(task, model, limits), task.replies);

const send = (reply: TaskReply): void =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
  parentPort?.postMessage(reply);

parentPort?.on('message', (task: ScoringTask) => {
  work(task).then(
    (value) => send({ value }),
    (error: unknown) => send({ error }),
  );
});
