import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { WebhookPauseActivities } from '../activities/webhooks/webhook-pauses';
import type { AttemptedDue, WebhookActivities } from '../activities/webhooks/webhooks';
import { webhooksQueueBeside } from './ids';
import { ownerMails, patientTransactions, retryRuns } from './policies';
import { createRetriesReport, noAttempts } from './webhook-retries-report';
import type { AttemptCounts } from './webhook-retries-report';
import { listenForSteering } from './webhook-retries-signals';

export type WebhookRetriesInput = {
  endpoint_id: string;
  /** What earlier runs of the workflow came to. */
  so_far?: AttemptCounts;
  /** Shortest time between two runs that nobody asked for; the plan's first wait is at least twice as long. */
  settle_ms?: number;
  /** A pause is looked at again after this time, also without a signal. */
  recheck_ms?: number;
  /** So many events of history, or fewer where Temporal says so, and the workflow goes on in a new one. */
  limit_events?: number;
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A run of so many attempts has left more behind that is due. */
const fullRun = 20;

const { mailEndpointPaused } = proxyActivities<WebhookPauseActivities>(ownerMails);
const { readPause } = proxyActivities<WebhookPauseActivities>(patientTransactions);

/**
 * Repeats the failed deliveries of one endpoint, each when it is due, until none waits: this workflow runs while its endpoint
 * is in trouble. What waits lives in Postgres, the workflow knows counts and the next time. Whatever a signal tells of, a run
 * begins after it; so none is lost, neither beside the last run nor beside a new history.
 */
export async function webhookRetries(input: WebhookRetriesInput): Promise<void> {
  const { endpoint_id, settle_ms = 2_000, recheck_ms = dayMs, limit_events = 4_000 } = input;
  const { attemptDue } = proxyActivities<WebhookActivities>({
    ...retryRuns,
    taskQueue: webhooksQueueBeside(workflowInfo().taskQueue),
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
    // Failures come in numbers: one run looks at those of some time.
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
 * Where nothing was attempted though it is due, the endpoint cannot be sent to for now (turned off, say): the maintenance
 * signals when it can. A long wait is broken up, so that the workflow of an endpoint that was deleted meanwhile ends.
 */
const untilDue = ({ attempted, next_due_in_ms }: AttemptedDue): number =>
  next_due_in_ms === null || (next_due_in_ms <= 0 && attempted === 0)
    ? hourMs
    : Math.min(next_due_in_ms, hourMs);

async function conditionUntil(at: number, isSo: () => boolean): Promise<void> {
  const waitMs = at - Date.now();
  if (waitMs > 0 && !isSo()) await condition(isSo, waitMs);
}

/** Mails the owners beside everything else: the provider may be in trouble for long. */
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
      // What fails for a day is left to the maintenance, which tells of the pause again.
      void mailEndpointPaused({ endpoint_id }).then(end, end);
    },
  };
}
