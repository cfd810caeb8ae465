import {
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { MailedReport, ReportDeliveryActivities } from '../activities/reports/report-deliveries';
import { failures } from './failures';
import { merchantOfWorkflow, taskQueuesOf } from './ids';
import { patientTransactions, reportMails, reportRuns } from './policies';
import { createStatusSetter } from './status';
import type { WorkflowStatus } from './status';

type ReportDeliveryInput = {
  schedule_id: string;
  /** Failed mails are retried for this many milliseconds (docs/reports.md#deliveries). */
  tried_for_ms?: number;
};

const { openReportDelivery, giveUpReport } = proxyActivities<ReportDeliveryActivities>(patientTransactions);

const shortestPauseMs = 1_000;
const maxPauseMs = 600_000;
const dayMs = 24 * 3_600_000;

/**
 * Mails a report once to each recipient of its schedule. A Temporal Schedule starts this workflow. The report and the
 * mails are in Postgres; the workflow's history contains only ids and counts.
 */
export async function reportDelivery({
  schedule_id,
  tried_for_ms = dayMs,
}: ReportDeliveryInput): Promise<void> {
  const show = createProgress();
  const { makeReportFile, mailReportFile } = proxySlowActivities();
  show('sending', '**Opening** the run: who gets the report, and whether its creator may run it.');
  const opened = await openReportDelivery({ schedule_id });
  if (opened === null) return show('done', '**Done**: the schedule does not exist.');
  const { delivery_id, mails } = opened;
  if (opened.obstacle !== null) return show('paused', describeObstacle(opened.obstacle));
  if (mails === 0)
    throw ApplicationFailure.nonRetryable('no recipient is in the team any more', failures.reportNotMailed);
  try {
    show('sending', '**Making** the file of the report.');
    const { obstacle } = await makeReportFile({ delivery_id });
    if (obstacle !== null) return show('paused', describeObstacle(obstacle));
    const giveUpAt = Date.now() + tried_for_ms;
    await mailAll(() => mailReportFile({ delivery_id }), giveUpAt, show);
  } catch (error) {
    await CancellationScope.nonCancellable(() => giveUpReport({ delivery_id }));
    show(
      'gave_up',
      isCancellation(error)
        ? '**Cancelled**: unsent mails are given up.'
        : '**Failed**: the page of the report in the console says why.',
    );
    throw error;
  }
}

/**
 * The slow activities run in task queues of their own, so that other work does not wait for them. Within these
 * queues, merchants take turns, so that no merchant waits for all reports of another.
 */
function proxySlowActivities() {
  const { taskQueue, typedSearchAttributes } = workflowInfo();
  const queues = taskQueuesOf(taskQueue);
  const merchant = merchantOfWorkflow(typedSearchAttributes);
  const turns = merchant === undefined ? {} : { priority: { fairnessKey: merchant } };
  const { makeReportFile } = proxyActivities<ReportDeliveryActivities>({
    ...reportRuns,
    ...turns,
    taskQueue: queues.reports,
    summary: 'Runs the report as its creator',
  });
  const { mailReportFile } = proxyActivities<ReportDeliveryActivities>({
    ...reportMails,
    ...turns,
    taskQueue: queues.reportMails,
    summary: 'Mails the file to its recipients',
  });
  return { makeReportFile, mailReportFile };
}

async function mailAll(mail: () => Promise<MailedReport>, giveUpAt: number, show: Progress): Promise<void> {
  let pauseMs = shortestPauseMs;
  show('sending', '**Mailing** the file.');
  for (;;) {
    const mailed = await mail();
    const counts = `${mailed.sent} mailed, ${mailed.rejected} rejected`;
    if (mailed.unsent === 0) {
      if (mailed.sent > 0) return show('done', `**Done**: ${counts}.`);
      throw ApplicationFailure.nonRetryable(`nothing was mailed: ${counts}`, failures.reportNotMailed);
    }
    const leftMs = giveUpAt - Date.now();
    if (leftMs <= 0)
      throw ApplicationFailure.nonRetryable(
        `gave up after a day: ${counts}, ${mailed.unsent} unsent, last failure: ${reasonOf(mailed)}`,
        failures.reportNotMailed,
      );
    // No wait is longer than the time that is left for retries, so the last attempt is made at its end.
    const waitMs = Math.min(Math.max(pauseMs, mailed.retry_after_ms), leftMs);
    const next = new Date(Date.now() + waitMs).toISOString();
    show(
      'in_trouble',
      `**In trouble** (${reasonOf(mailed)}), next attempt at ${next}; ${counts}, ${mailed.unsent} unsent.`,
    );
    await sleep(waitMs);
    pauseMs = Math.min(maxPauseMs, pauseMs * 2);
  }
}

const reasonOf = ({ last_error }: MailedReport) => last_error ?? 'the worker stopped';

const obstacles: Readonly<Record<string, string>> = {
  stopped: 'the schedule was stopped',
  report_archived: 'the report is archived',
  reports_off: 'the account has no custom reports',
  creator_left: 'its creator can no longer sign in to the account',
  creator_may_not_edit: 'its creator can no longer edit the report',
};
const describeObstacle = (obstacle: string) =>
  `**Paused**: ${obstacles[obstacle] ?? obstacle}. Nothing was mailed.`;

type Progress = ReturnType<typeof createProgress>;

/** Returns a function that shows Temporal operators the status, which they can filter by, and the details. */
function createProgress() {
  const showStatus = createStatusSetter();
  return (status: WorkflowStatus, details: string): void => {
    showStatus(status);
    setCurrentDetails(details);
  };
}
