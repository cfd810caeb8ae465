import type { Statement } from './statement';

/** A workflow to start after the transaction has committed (docs/architecture.md#rules-of-workflows). */
export type WorkflowStart = {
  id: string;
  /** Null if the transaction has no merchant, which is possible for a platform admin. */
  merchant_id: string | null;
  environment: string;
  workflow_type: string;
  workflow_id: string;
  argument: Record<string, string | number>;
  attempts: number;
};

/**
 * Queues a workflow, which starts after the current transaction has committed. The workflow's argument holds ids,
 * never personal data.
 */
export const insertWorkflowStart = (
  workflowType: string,
  workflowId: string,
  argument: Record<string, string | number>,
): Statement => ({
  text: 'insert into workflow_start (workflow_type, workflow_id, argument) values ($1, $2, $3)',
  values: [workflowType, workflowId, JSON.stringify(argument)],
});

/** Claims and locks workflow starts that are due. Other workers skip the locked rows. */
export const claimWorkflowStarts = (limitRows: number): Statement<WorkflowStart> => ({
  name: 'claim_workflow_starts',
  text: `
    select id, merchant_id, environment, workflow_type, workflow_id, argument, attempts from workflow_start
    where next_attempt_at <= now() order by workflow_type <> 'signInMail', next_attempt_at limit $1 for update skip locked`,
  values: [limitRows],
});

export const deleteWorkflowStarts = (ids: string[]): Statement => ({
  text: 'delete from workflow_start where id = any ($1)',
  values: [ids],
});

/**
 * Doubles the wait before the next attempt to start these workflows, from one second up to a minute. The wait begins
 * now, not at the start of the transaction, which may be seconds ago.
 */
export const postponeWorkflowStarts = (ids: string[]): Statement => ({
  text: `
    update workflow_start
    set attempts = attempts + 1, next_attempt_at = clock_timestamp() + least(60, power(2, least(attempts, 10))) * interval '1 second'
    where id = any ($1)`,
  values: [ids],
});

export type WorkflowStartCounts = { waiting: number; oldest_age_s: number };

/** Counts the workflow starts that are waiting, over all merchants, up to 100,000. */
export const countWorkflowStarts: Statement<WorkflowStartCounts> = {
  name: 'count_workflow_starts',
  text: `
    select count(*)::int as waiting, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest_age_s
    from (select created_at from workflow_start limit 100000) waiting`,
};
