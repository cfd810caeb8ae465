import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  defineUpdate,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { TechnicalIssueActivities } from '../activities/support/technical-issues';
import { failures } from './failures';
import { firstOutcomeUpdateName } from './ids';
import { patientTransactions, supportCalls } from './policies';
import { createStatusSetter } from './status';
import type { WorkflowStatus } from './status';

export type TechnicalIssueInput = {
  report_id: string;
  /** Sending the issue is retried for this many milliseconds (docs/support.md#technical-issues). */
  tried_for_ms?: number;
  /**
   * The pause between the first two attempts. Each later pause is twice as long, up to `longest_pause_ms`. A longer
   * Retry-After takes precedence.
   */
  first_pause_ms?: number;
  longest_pause_ms?: number;
  /** After this many events, or earlier when Temporal suggests it, the workflow continues as new. */
  limit_events?: number;
  /**
   * Set when the workflow continues as new: the time of the first attempt, the next pause, and the number of attempts
   * so far.
   */
  progress?: { began_at: number; pause_ms: number; attempts: number };
};

/** Returns the outcome of the first attempt as soon as it is known. */
const firstOutcomeUpdate = defineUpdate<FirstOutcome>(firstOutcomeUpdateName);
type FirstOutcome = 'sent' | 'queued';

const { sendIssueReport } = proxyActivities<TechnicalIssueActivities>(supportCalls);
const { giveUpIssueReport } = proxyActivities<TechnicalIssueActivities>(patientTransactions);

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * Sends a technical issue to support: immediately, then with growing pauses for a week, unless the workflow is
 * cancelled. The issue is in Postgres; the workflow's history contains only ids. A cleanup job of the worker restarts
 * a terminated workflow.
 */
export async function issueReport(input: TechnicalIssueInput): Promise<void> {
  const {
    report_id,
    tried_for_ms = 7 * dayMs,
    first_pause_ms = 10_000,
    longest_pause_ms = 10 * minuteMs,
    limit_events = 4_000,
  } = input;
  const progress = input.progress ?? { began_at: Date.now(), pause_ms: first_pause_ms, attempts: 0 };
  let outcome: FirstOutcome | undefined = progress.attempts > 0 ? 'queued' : undefined;
  setHandler(firstOutcomeUpdate, async () => {
    await condition(() => outcome !== undefined);
    return outcome ?? 'queued';
  });

  const show = createProgress();
  show(progress.attempts > 0 ? 'in_trouble' : 'sending', '**Sending** the issue to support.');
  try {
    for (;;) {
      const attempt = await sendIssueReport({ report_id });
      progress.attempts += 1;
      if (attempt.reference !== null) {
        outcome ??= 'sent';
        show('done', `**Sent**: support received it as ${attempt.reference}.`);
        break;
      }
      outcome ??= 'queued';
      const leftMs = progress.began_at + tried_for_ms - Date.now();
      const tried = `${progress.attempts} attempts, last failure: ${attempt.failure}`;
      if (leftMs <= 0) {
        await giveUpIssueReport({ report_id });
        show('gave_up', `**Given up** after ${tried}. ${startAgain}`);
        await condition(allHandlersFinished);
        throw ApplicationFailure.nonRetryable(
          `support did not accept the technical issue: ${tried}`,
          failures.technicalIssueGivenUp,
        );
      }
      // No wait is longer than the time that is left for retries, so the last attempt is made at its end.
      const waitMs = Math.min(Math.max(progress.pause_ms, attempt.retry_after_ms), leftMs);
      show(
        'in_trouble',
        `**In trouble**, next attempt at ${new Date(Date.now() + waitMs).toISOString()}; ${tried}.`,
      );
      await sleep(waitMs);
      progress.pause_ms = Math.min(longest_pause_ms, progress.pause_ms * 2);
      const { historyLength, continueAsNewSuggested } = workflowInfo();
      if (historyLength >= limit_events || continueAsNewSuggested) {
        await condition(allHandlersFinished);
        await continueAsNew<typeof issueReport>({ ...input, progress });
      }
    }
    await condition(allHandlersFinished);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => giveUpIssueReport({ report_id }));
    show('gave_up', `**Cancelled**, so it is not retried. ${startAgain}`);
    throw error;
  }
}

const startAgain = 'To try again, start a workflow with this id.';

/** Returns a function that shows Temporal operators the status, which they can filter by, and the details. */
function createProgress() {
  const showStatus = createStatusSetter();
  return (status: WorkflowStatus, details: string): void => {
    showStatus(status);
    setCurrentDetails(details);
  };
}
