import type { WorkflowHandle } from '@temporalio/client';
import { workflowMetadataQuery } from '@temporalio/workflow';

/** What an operator reads of a workflow: its status and details, with the times left out. */
export async function factsOf(handle: WorkflowHandle): Promise<[unknown, string | undefined]> {
  const { currentDetails } = await handle.query(workflowMetadataQuery);
  const { searchAttributes } = await handle.describe();
  return [
    searchAttributes['WorkflowStatus']?.[0],
    currentDetails?.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'),
  ];
}

const eventsOf = async (handle: WorkflowHandle) => (await handle.fetchHistory()).events ?? [];

/** The workflow's waits in milliseconds. */
export const waitsOf = async (handle: WorkflowHandle): Promise<number[]> =>
  (await eventsOf(handle)).flatMap(({ timerStartedEventAttributes: timer }) =>
    timer
      ? [Number(timer.startToFireTimeout?.seconds) * 1_000 + Number(timer.startToFireTimeout?.nanos) / 1e6]
      : [],
  );

/** How often its code has failed; a workflow whose task fails stands still. */
export const failedTasksOf = async (handle: WorkflowHandle): Promise<number> =>
  (await eventsOf(handle)).filter((event) => event.workflowTaskFailedEventAttributes).length;
