import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { WebhookPauseActivities } from '../activities/webhooks/webhook-pauses';
import type { ReleasedRetries, WebhookRetryActivities } from '../activities/webhooks/webhook-retries';
import { ownerMails, patientTransactions } from './policies';
import { handleRetrySignals } from './webhook-retries-signals';
import { createRetriesStatus } from './webhook-retries-status';

export type WebhookRetriesInput = {
  endpoint_id: string;
  /** The number of retries that were released before the workflow continued as new. */
  released?: number;
  // Only tests set the limits below. Their defaults are in `webhookRetries`.
  settle_ms?: number;
  check_ms?: number;
  recheck_ms?: number;
  limit_events?: number;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const { mailEndpointPaused } = proxyActivities<WebhookPauseActivities>(ownerMails);
const { readPause } = proxyActivities<WebhookPauseActivities>(patientTransactions);
const { releaseRetries } = proxyActivities<WebhookRetryActivities>(patientTransactions);

/**
 * Decides when the failed deliveries of one endpoint are retried: releases each of them when it is due, and the sender
 * sends it. Ends when no delivery waits for a retry. The deliveries are in Postgres; the workflow knows only counts and
 * the next due time. After every signal, the workflow looks for due retries once more before it ends or continues as
 * new, so that no signal is lost.
 */
export async function webhookRetries(input: WebhookRetriesInput): Promise<void> {
  const {
    endpoint_id,
    settle_ms = 2_000, // between two releases; the first retry of a delivery is due after at least twice this time
    check_ms = 2_000, // from a release to the first look at its attempts: the end of an attempt sends no signal
    recheck_ms = dayMs, // between two looks at the pause of an endpoint
    limit_events = 4_000, // in the history, before the workflow continues as new
  } = input;
  const status = createRetriesStatus(input.released ?? 0);
  const signals = handleRetrySignals(endpoint_id, status.note);
  const isCalm = () => !signals.hasChanged && !signals.isRequested;
  /** Runs beside the releases, because the mail provider may be unavailable for a long time. */
  let mailing: Promise<void> | undefined;
  let checkMs = check_ms;

  for (;;) {
    // The release that begins now covers all signals so far.
    Object.assign(signals, { hasChanged: false, isRequested: false });
    status.releasing();
    const retries = await releaseRetries({ endpoint_id });
    status.add(retries.released);
    const calmAt = Date.now() + settle_ms;
    const pause = retries.paused_reason === null ? null : await readPause({ endpoint_id });
    signals.seenPause = pause?.since ?? null;
    // A failed mail is ignored: a cleanup job signals this workflow again if the owners got none.
    if (pause && !pause.is_by_hand && !pause.is_mailed)
      mailing ??= mailEndpointPaused({ endpoint_id })
        .catch(() => undefined)
        .finally(() => {
          mailing = undefined;
        });

    if (retries.waiting + retries.in_progress === 0) {
      await condition(() => !mailing || !isCalm());
      await condition(allHandlersFinished);
      if (isCalm()) break;
    } else if (retries.paused_reason === null) {
      checkMs = retries.released > 0 ? check_ms : Math.min(2 * checkMs, minuteMs);
      const dueAt = Math.max(Date.now() + untilDue(retries, checkMs), calmAt);
      status.waiting(retries, dueAt);
      await conditionUntil(dueAt, () => !isCalm());
    } else {
      status.paused(retries, pause?.since);
      await conditionUntil(Date.now() + recheck_ms, () => !isCalm());
    }
    // Retries become due in groups, so the workflow waits a little and releases several retries at a time.
    await conditionUntil(calmAt, () => signals.isRequested);

    const { historyLength, continueAsNewSuggested } = workflowInfo();
    if ((historyLength >= limit_events || continueAsNewSuggested) && !mailing) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof webhookRetries>({ ...input, released: status.released() });
    }
  }
  status.done();
}

/**
 * Returns how long to wait for the next release or check. Nothing is released while the endpoint is turned off; a signal
 * reports when it is turned on. A wait is at most an hour, so that the workflow of a deleted endpoint ends.
 */
const untilDue = ({ is_open, in_progress, next_due_in_ms }: ReleasedRetries, checkMs: number): number =>
  is_open ? Math.min(next_due_in_ms ?? hourMs, in_progress > 0 ? checkMs : hourMs, hourMs) : hourMs;

async function conditionUntil(at: number, isSo: () => boolean): Promise<void> {
  const waitMs = at - Date.now();
  if (waitMs > 0 && !isSo()) await condition(isSo, waitMs);
}
