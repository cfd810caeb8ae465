import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { WebhookPauseActivities } from '../activities/webhooks/webhook-pauses';
import type { AttemptedDue, WebhookActivities } from '../activities/webhooks/webhooks';
import { taskQueuesOf } from './ids';
import { ownerMails, patientTransactions, retryRuns } from './policies';
import { createRetriesReport, noAttempts } from './webhook-retries-report';
import type { AttemptCounts } from './webhook-retries-report';
import { listenForSteering } from './webhook-retries-signals';

export type WebhookRetriesInput = {
  endpoint_id: string;
  /** The counts of attempts before the workflow continued as new. */
  so_far?: AttemptCounts;
  /**
   * The minimum pause between two retry runs. There is no pause after a full run (`fullRun`) or when a person
   * requests a retry. The first retry of a delivery is due after at least twice this time, so it is not delayed.
   */
  settle_ms?: number;
  /**
   * While the endpoint is paused, the workflow checks the pause again after this many milliseconds even without a
   * signal.
   */
  recheck_ms?: number;
  /** After this many events, or earlier when Temporal suggests it, the workflow continues as new. */
  limit_events?: number;
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/**
 * After a retry run with at least this many attempts, the next run starts immediately, because more deliveries are
 * probably due.
 */
const fullRun = 20;

const { mailEndpointPaused } = proxyActivities<WebhookPauseActivities>(ownerMails);
const { readPause } = proxyActivities<WebhookPauseActivities>(patientTransactions);

/**
 * Retries the failed deliveries of one endpoint, each when it is due, until none waits. The deliveries are in
 * Postgres; the workflow knows only counts and the next due time. After every signal, the workflow looks for due
 * deliveries once more before it ends or continues as new, so that no signal is lost.
 */
export async function webhookRetries(input: WebhookRetriesInput): Promise<void> {
  const { endpoint_id, settle_ms = 2_000, recheck_ms = dayMs, limit_events = 4_000 } = input;
  const { attemptDue } = proxyActivities<WebhookActivities>({
    ...retryRuns,
    taskQueue: taskQueuesOf(workflowInfo().taskQueue).webhooks,
  });
  const report = createRetriesReport(input.so_far ?? noAttempts);
  const steering = listenForSteering(endpoint_id, report.note);
  const owners = mailOnce(endpoint_id);

  for (;;) {
    steering.begin();
    report.running();
    const run = await attemptDue({ endpoint_id });
    report.add(run);
    const calmAt = Date.now() + (run.attempted >= fullRun ? 0 : settle_ms);
    const pause = run.paused_reason === null ? null : await readPause({ endpoint_id });
    steering.see(pause);
    if (pause && !pause.is_by_hand && !pause.is_mailed) owners.mail();

    if (run.waiting === 0) {
      await condition(() => !owners.isBusy() || !steering.isCalm());
      await condition(allHandlersFinished);
      if (steering.isCalm()) break;
    } else if (run.paused_reason === null) {
      const dueAt = Math.max(Date.now() + untilDue(run), calmAt);
      report.waiting(run.waiting, dueAt);
      await conditionUntil(dueAt, () => !steering.isCalm());
    } else {
      report.paused(run, pause?.since ?? null);
      await conditionUntil(Date.now() + recheck_ms, () => !steering.isCalm());
    }
    // Failures arrive in groups, so the workflow waits a little and retries several deliveries in one run.
    await conditionUntil(calmAt, steering.isUrgent);

    const { historyLength, continueAsNewSuggested } = workflowInfo();
    if ((historyLength >= limit_events || continueAsNewSuggested) && !owners.isBusy()) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof webhookRetries>({ ...input, so_far: report.counts() });
    }
  }
  report.done();
}

/**
 * Returns how long to wait for the next due delivery. If deliveries were due but none was attempted, nothing can be
 * sent to the endpoint for now, for example because it is disabled. A cleanup job signals the workflow when sending is
 * possible again. A wait is at most an hour, so that the workflow of a deleted endpoint ends.
 */
const untilDue = ({ attempted, next_due_in_ms }: AttemptedDue): number =>
  next_due_in_ms === null || (next_due_in_ms <= 0 && attempted === 0)
    ? hourMs
    : Math.min(next_due_in_ms, hourMs);

async function conditionUntil(at: number, isSo: () => boolean): Promise<void> {
  const waitMs = at - Date.now();
  if (waitMs > 0 && !isSo()) await condition(isSo, waitMs);
}

/** Mails the owners while the retry runs continue, because the mail provider may be unavailable for a long time. */
function mailOnce(endpoint_id: string) {
  let isBusy = false;
  return {
    isBusy: () => isBusy,
    mail: () => {
      if (isBusy) return;
      isBusy = true;
      const end = () => {
        isBusy = false;
      };
      // The result is ignored, even if all retries of a day failed. A cleanup job signals this workflow again if the
      // owners got no mail about the pause.
      void mailEndpointPaused({ endpoint_id }).then(end, end);
    },
  };
}
