import type { WorkflowHandle } from '@temporalio/client';
import { workflowMetadataQuery } from '@temporalio/workflow';

/**
 * Returns what Temporal's page of a workflow shows: its status, and its details with `<time>` instead of each time. The
 * status is read first, so the details are at least as new.
 */
export async function factsOf(handle: WorkflowHandle): Promise<[unknown, string | undefined]> {
  const { searchAttributes } = await handle.describe();
  const { currentDetails } = await handle.query(workflowMetadataQuery);
  return [
    searchAttributes['FlowStatus']?.[0],
    currentDetails?.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'),
  ];
}

const eventsOf = async (handle: WorkflowHandle) => (await handle.fetchHistory()).events ?? [];

/** Returns the durations of all timers of the workflow, in milliseconds. */
export const waitsOf = async (handle: WorkflowHandle): Promise<number[]> =>
  (await eventsOf(handle)).flatMap(({ timerStartedEventAttributes: timer }) =>
    timer
      ? [Number(timer.startToFireTimeout?.seconds) * 1_000 + Number(timer.startToFireTimeout?.nanos) / 1e6]
      : [],
  );

/**
 * Returns how many workflow tasks have failed because the workflow's code threw an error. After such a failure, a
 * workflow does not continue.
 */
export const failedTasksOf = async (handle: WorkflowHandle): Promise<number> =>
  (await eventsOf(handle)).filter((event) => event.workflowTaskFailedEventAttributes).length;
