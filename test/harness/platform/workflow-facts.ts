import type { WorkflowHandle } from '@temporalio/client';
import { workflowMetadataQuery } from '@temporalio/workflow';

/** Returns what the page of Temporal shows about a workflow: its status and details, without the times. */
export async function factsOf(handle: WorkflowHandle): Promise<[unknown, string | undefined]> {
  const { currentDetails } = await handle.query(workflowMetadataQuery);
  const { searchAttributes } = await handle.describe();
  return [
    searchAttributes['FlowStatus']?.[0],
    currentDetails?.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'),
  ];
}

const eventsOf = async (handle: WorkflowHandle) => (await handle.fetchHistory()).events ?? [];

/** Returns the workflow's waits in milliseconds. */
export const waitsOf = async (handle: WorkflowHandle): Promise<number[]> =>
  (await eventsOf(handle)).flatMap(({ timerStartedEventAttributes: timer }) =>
    timer
      ? [Number(timer.startToFireTimeout?.seconds) * 1_000 + Number(timer.startToFireTimeout?.nanos) / 1e6]
      : [],
  );

/** Returns how often the workflow's code has failed. A workflow whose task fails does not continue. */
export const failedTasksOf = async (handle: WorkflowHandle): Promise<number> =>
  (await eventsOf(handle)).filter((event) => event.workflowTaskFailedEventAttributes).length;
