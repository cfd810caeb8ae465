import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Database, Transaction } from '../../db/platform/database';
import {
  claimWorkflowStarts,
  deleteWorkflowStarts,
  postponeWorkflowStarts,
} from '../../db/platform/workflow-starts';
import type { WorkflowStart } from '../../db/platform/workflow-starts';
import { workflowSummaries, restartableWorkflows, scopeAttributes } from '../../workflows/ids';
import type { TaskQueues } from '../../workflows/ids';

const batchRows = 50;
const startDeadlineMs = 4_000;

type OutboxDeps = {
  database: Pick<Database, 'writeAsWorker'>;
  client: Client;
  queues: TaskQueues;
  log: Logger;
  /** Updates the Temporal Schedule with this id to match its row. */
  syncSchedule: (trx: Transaction, scheduleId: string) => Promise<void>;
};

/**
 * Starts workflows in batches until no more rows are due or the signal aborts. Returns the number of rows that were
 * handled.
 */
export async function startDueWorkflows(deps: OutboxDeps, signal: AbortSignal): Promise<number> {
  let all = 0;
  for (let taken = batchRows; taken === batchRows && !signal.aborted; all += taken)
    taken = await startWorkflowBatch(deps);
  return all;
}

/**
 * Starts the workflows of due rows, deletes these rows and returns their number. If a start fails, its row is
 * postponed. The rows stay locked until the end, so that two workers never handle the same row. For a row of type
 * `reportDelivery`, updates the Temporal Schedule, which then starts the workflows.
 */
export const startWorkflowBatch = ({
  database,
  client,
  queues,
  log,
  syncSchedule,
}: OutboxDeps): Promise<number> =>
  database.writeAsWorker(async (trx) => {
    const starts = await trx.rows(claimWorkflowStarts(batchRows));
    if (starts.length === 0) return 0;
    const scheduled = starts.filter(({ workflow_type }) => workflow_type === 'reportDelivery');
    const others = starts.filter(({ workflow_type }) => workflow_type !== 'reportDelivery');
    const outcomes = await client.withDeadline(Date.now() + startDeadlineMs, () =>
      Promise.all([
        ...others.map((start) => attempt(start, () => startWorkflow(client, queues, start))),
        // Updates the schedules one after another, because several rows can be about the same schedule.
        ...inTurns(scheduled, (start) => syncSchedule(trx, String(start.argument['schedule_id'] ?? ''))),
      ]),
    );
    const failed = outcomes.filter(({ error }) => error !== undefined);
    for (const { start, error } of failed)
      log.warn(
        { workflow_id: start.workflow_id, attempts: start.attempts + 1, err: error },
        'postponed a workflow start',
      );
    const failedIds = failed.map(({ start }) => start.id);
    await trx.count(deleteWorkflowStarts(starts.map(({ id }) => id).filter((id) => !failedIds.includes(id))));
    if (failedIds.length > 0) await trx.count(postponeWorkflowStarts(failedIds));
    return starts.length;
  });

type Outcome = { start: WorkflowStart; error?: unknown };

const attempt = (start: WorkflowStart, work: () => Promise<unknown>): Promise<Outcome> =>
  work().then(
    () => ({ start }),
    (error: unknown) => ({ start, error }),
  );

function inTurns(starts: WorkflowStart[], work: (start: WorkflowStart) => Promise<void>): Promise<Outcome>[] {
  let before: Promise<unknown> = Promise.resolve();
  return starts.map((start) => {
    const outcome = before.then(() => attempt(start, () => work(start)));
    before = outcome;
    return outcome;
  });
}

async function startWorkflow(client: Client, queues: TaskQueues, start: WorkflowStart): Promise<void> {
  try {
    await client.workflow.start(start.workflow_type, {
      workflowId: start.workflow_id,
      taskQueue: queueOf(start.workflow_type, queues),
      args: [start.argument],
      workflowIdReusePolicy: reusePolicyOf(start.workflow_type),
      typedSearchAttributes: scopeAttributes(start.merchant_id, start.environment),
      staticSummary: workflowSummaries[start.workflow_type],
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/**
 * Returns the task queue for a type of workflow. Sign-in mails and running interviews have their own queues, so that
 * thousands of invitations do not delay them.
 */
function queueOf(workflowType: string, queues: TaskQueues): string {
  if (workflowType === 'signInMail') return queues.signIn;
  return workflowType === 'interviewAttempt' ? queues.live : queues.main;
}

/**
 * Workflows that may start again with the same id: the workflow of an attempt ends when there is nothing to do for the
 * moment, and a PDF or a video can be rendered several times.
 */
const againTypes: ReadonlySet<string> = new Set(['interviewAttempt', 'resultPdf', 'questionVideo']);

function reusePolicyOf(workflowType: string) {
  if (againTypes.has(workflowType)) return 'ALLOW_DUPLICATE' as const;
  return restartableWorkflows.has(workflowType)
    ? ('ALLOW_DUPLICATE_FAILED_ONLY' as const)
    : ('REJECT_DUPLICATE' as const);
}
