import { upsertSearchAttributes } from '@temporalio/workflow';
import { workflowStatus } from './ids';

/** The statuses of workflows that operators filter by. */
export type Status =
  | 'sending'
  | 'retrying'
  | 'replaying'
  | 'waiting'
  | 'in_trouble'
  | 'paused'
  | 'gave_up'
  | 'done';

/** Returns a function that sets the status. Only a change is written, because each is an event of the history. */
export function createStatus() {
  let shown: Status | undefined;
  return (status: Status): void => {
    if (status !== shown) upsertSearchAttributes([{ key: workflowStatus, value: status }]);
    shown = status;
  };
}
