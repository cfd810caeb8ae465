import { upsertSearchAttributes } from '@temporalio/workflow';
import { flowStatusKey } from './ids';

/** The statuses of workflows that Temporal operators filter by. */
export type WorkflowStatus =
  | 'sending'
  | 'retrying'
  | 'replaying'
  | 'waiting'
  | 'scoring'
  | 'waiting_for_the_model'
  | 'in_trouble'
  | 'paused'
  | 'gave_up'
  | 'done';

/**
 * Returns a function that sets the status. Only changes are written, because each write adds an event to the history.
 */
export function createStatusSetter() {
  let shown: WorkflowStatus | undefined;
  return (status: WorkflowStatus): void => {
    if (status !== shown) upsertSearchAttributes([{ key: flowStatusKey, value: status }]);
    shown = status;
  };
}
