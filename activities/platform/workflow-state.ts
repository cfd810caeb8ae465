import { WorkflowNotFoundError } from '@temporalio/client';
import type { Client } from '@temporalio/client';

/** The states of workflows that never go on. */
export const endedWorkflowStates: ReadonlySet<string> = new Set([
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'TERMINATED',
  'TIMED_OUT',
  'NOT_FOUND',
]);

/** Returns the state of a workflow in Temporal, or `NOT_FOUND`. */
export const readWorkflowState = (client: Client, workflowId: string): Promise<string> =>
  client.workflow
    .getHandle(workflowId)
    .describe()
    .then(
      ({ status }) => status.name,
      (error: unknown) => {
        if (error instanceof WorkflowNotFoundError) return 'NOT_FOUND';
        throw error;
      },
    );
