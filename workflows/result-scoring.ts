import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { ResultPdfActivities } from '../activities/results/render-result-pdf';
import type { ScoringActivities, ScoringOutcome } from '../activities/scoring/score-activities';
import { failures } from './failures';
import { merchantOfWorkflow, taskQueuesOf } from './ids';
import { automaticPdfs, patientTransactions, scoringCalls, scoringWrites, transcriptWaits } from './policies';
import { createStatusSetter } from './status';
import type { WorkflowStatus } from './status';

export type ResultScoringInput = {
  result_id: string;
  attempt: number;
  run: number;
  /** Calls of the model are retried for this many milliseconds (docs/results.md#scoring). */
  tried_for_ms?: number;
  /** The pause after the first failed call. Each later pause is twice as long, up to `longest_pause_ms`. */
  first_pause_ms?: number;
  longest_pause_ms?: number;
};

const answersAtOnce = 5;
const dayMs = 24 * 3_600_000;

/**
 * Scores a submitted attempt: waits for its transcripts, asks the model to judge the answers, the session and the résumé
 * and to summarize the verified evidence, and writes the scores in one transaction. Answers, samples and scores are in
 * Postgres; the workflow's history contains only ids and counts. A run that is no longer the latest ends without
 * effect.
 */
export async function resultScoring(input: ResultScoringInput): Promise<void> {
  const { result_id, attempt, run } = input;
  const key = { result_id, attempt, run };
  const show = createProgress();
  const { failScoring } = proxyActivities<ScoringActivities>(patientTransactions);
  const { openScoring, recordScoring } = proxyActivities<ScoringActivities>(scoringWrites);
  const { scoreAnswer, scoreSession, scoreResume, summarizeResult } = onScoringQueue();
  const retrier = createRetrier(input, show);
  let wantsPdf = false;
  try {
    show('scoring', '**Opening** the run.');
    const opened = await openScoring(key);
    if (opened === null) return show('done', superseded);
    await waitForAnswers(opened.pending);
    const judged = [
      ...opened.places.map((place) => (probe: Probe) => scoreAnswer({ ...key, place, ...probe })),
      (probe: Probe) => scoreSession({ ...key, ...probe }),
      ...(opened.has_resume === true ? [(probe: Probe) => scoreResume({ ...key, ...probe })] : []),
    ];
    show('scoring', `**Judging** ${opened.places.length} answers and the session.`);
    if ((await retrier.all(judged)) === 'stale') return show('done', superseded);
    show('scoring', '**Summarizing** what was verified.');
    if ((await retrier.all([() => summarizeResult(key)])) === 'stale') return show('done', superseded);
    const written = await recordScoring(key);
    if (!written.is_written) return show('done', superseded);
    wantsPdf = written.wants_pdf === true;
    show(wantsPdf ? 'scoring' : 'done', `**Done**: ${opened.places.length} answers scored.`);
  } catch (error) {
    const failure = isCancellation(error) ? 'cancelled' : reasonOf(error);
    await CancellationScope.nonCancellable(() => failScoring({ ...key, failure }));
    show('gave_up', `**Failed** (${failure}). Use *Score again* on the result's page in the console.`);
    throw error;
  }
  if (wantsPdf) await makePdf({ result_id, attempt }, show);

  /** Waits until no transcript is pending. Within a day of its answer, each transcript is stored or given up. */
  async function waitForAnswers(pending: number): Promise<void> {
    if (pending === 0) return;
    const { waitForTranscripts } = proxyActivities<ScoringActivities>(transcriptWaits);
    show('waiting', `**Waiting** for ${pending} transcripts.`);
    await waitForTranscripts(key).catch((error: unknown) => {
      // A transcript that is still missing counts as unavailable.
      if (isCancellation(error)) throw error;
    });
  }
}

/**
 * Renders the automatic PDF, for which the webhook event of the result waits. The scores are already written, so a
 * failure here does not fail the workflow.
 */
async function makePdf(key: { result_id: string; attempt: number }, show: Progress): Promise<void> {
  const { renderResultPdf } = proxyActivities<ResultPdfActivities>({
    ...automaticPdfs,
    taskQueue: taskQueuesOf(workflowInfo().taskQueue).pdfs,
    summary: 'Renders the PDF',
  });
  show('scoring', '**Rendering** the PDF. The answers are scored.');
  try {
    await renderResultPdf(key);
    show('done', '**Done**: the answers are scored and the PDF is stored.');
  } catch (error) {
    show('gave_up', '**No PDF**: the answers are scored. Use *Create PDF again* on the page of the result.');
    if (isCancellation(error)) throw error;
  }
}

/** Returns the reason that is recorded for a run that failed. */
function reasonOf(error: unknown): string {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure && cause.type === failures.scoringGivenUp
    ? cause.message
    : 'internal_error';
}

const superseded = '**Done**: the result was scored otherwise, reopened or erased. This run wrote nothing.';

/**
 * Returns the activities that call the model. They have a task queue of their own, so that neither interviews nor
 * drafts wait for them. Within the queue, merchants take turns.
 */
function onScoringQueue() {
  const { taskQueue, typedSearchAttributes } = workflowInfo();
  const merchant = merchantOfWorkflow(typedSearchAttributes);
  const shared = {
    ...scoringCalls,
    ...(merchant === undefined ? {} : { priority: { fairnessKey: merchant } }),
    taskQueue: taskQueuesOf(taskQueue).scoring,
  };
  const { scoreAnswer } = proxyActivities<ScoringActivities>({
    ...shared,
    summary: 'Has the model judge an answer three times',
  });
  const { scoreSession } = proxyActivities<ScoringActivities>({
    ...shared,
    summary: 'Has the model judge the session three times',
  });
  const { scoreResume } = proxyActivities<ScoringActivities>({
    ...shared,
    summary: 'Has the model judge the résumé three times',
  });
  const { summarizeResult } = proxyActivities<ScoringActivities>({
    ...shared,
    summary: 'Has the model summarize what was verified',
  });
  return { scoreAnswer, scoreSession, scoreResume, summarizeResult };
}

/** Is passed to the first item of a round that follows a pause. */
type Probe = { is_probe?: boolean };
type Work = (probe: Probe) => Promise<ScoringOutcome>;

/**
 * Returns an object whose function `all` runs work a few items at a time. While the model is unavailable, `all`
 * repeats the items that are not done, with growing pauses. After a pause, it makes one call to see whether the model is
 * back. It throws if the model stays unavailable for too long or
 * rejects a request, and returns `stale` if the run is no longer the latest.
 */
function createRetrier(
  { tried_for_ms = dayMs, first_pause_ms = 1_000, longest_pause_ms = 600_000 }: ResultScoringInput,
  show: Progress,
) {
  const giveUpAt = Date.now() + tried_for_ms;
  return {
    all: async (work: Work[]): Promise<'done' | 'stale'> => {
      let left = work;
      let isProbe = false;
      for (let pauseMs = first_pause_ms; ; pauseMs = Math.min(longest_pause_ms, pauseMs * 2)) {
        const round = await runSome(left, isProbe);
        isProbe = true;
        if (round.isStale) return 'stale';
        if (round.rejection !== undefined) throw giveUp(`request_rejected: ${round.rejection}`);
        left = round.left;
        if (left.length === 0) return 'done';
        const leftMs = giveUpAt - Date.now();
        if (leftMs <= 0) throw giveUp(`model_away: ${round.reason}`);
        // A provider may ask for a longer pause, up to the longest one. No wait is longer than the time that is left
        // for retries, so the last attempt is made at its end.
        const waitMs = Math.min(Math.max(pauseMs, round.retryAfterMs), longest_pause_ms, leftMs);
        const next = new Date(Date.now() + waitMs).toISOString();
        show(
          'waiting_for_the_model',
          `**Waiting for the model** (${round.reason}), next attempt at ${next}; ${left.length} calls are left.`,
        );
        await sleep(waitMs);
      }
    },
  };
}

const giveUp = (reason: string) => ApplicationFailure.nonRetryable(reason, failures.scoringGivenUp);

/**
 * Runs work, a few items at a time, until all are done or the model is unavailable or rejects a request (`rejection`).
 * `left` contains the items that were not done. With `isProbe`, the first item runs alone.
 */
async function runSome(work: Work[], isProbe: boolean) {
  const waiting = [...work];
  const round = {
    left: [] as Work[],
    isStale: false,
    rejection: undefined as string | undefined,
    reason: '',
    retryAfterMs: 0,
  };
  const run = async (next: Work, probe: Probe): Promise<void> => {
    const outcome = await next(probe);
    if (outcome.state === 'stale') round.isStale = true;
    if (outcome.state === 'rejected') round.rejection = outcome.reason;
    if (outcome.state === 'away') {
      round.left.push(next);
      round.reason = outcome.reason;
      round.retryAfterMs = Math.max(round.retryAfterMs, outcome.retry_after_ms);
    }
  };
  const runNext = async (): Promise<void> => {
    while (!round.isStale && round.rejection === undefined && round.left.length === 0) {
      const next = waiting.shift();
      if (next === undefined) return;
      await run(next, {});
    }
  };
  const first = isProbe ? waiting.shift() : undefined;
  if (first) await run(first, { is_probe: true });
  await Promise.all(Array.from({ length: answersAtOnce }, runNext));
  return { ...round, left: [...round.left, ...waiting] };
}

type Progress = ReturnType<typeof createProgress>;

/** Returns a function that shows Temporal operators the status, which they can filter by, and the details. */
function createProgress() {
  const showStatus = createStatusSetter();
  return (status: WorkflowStatus, details: string): void => {
    showStatus(status);
    setCurrentDetails(details);
  };
}
