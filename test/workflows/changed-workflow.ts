import { proxyActivities } from '@temporalio/workflow';
import type { InterviewActivities } from '../../activities/interviews';
import type { InterviewCreationInput } from '../../workflows/interview-creation';

/** What a careless change would make of the flow: it stores before it drafts. Only the replay test runs it. */
export async function interviewCreation({
  interview_id,
  ai_task_queue,
}: InterviewCreationInput): Promise<void> {
  const { draftInterview, storeInterview } = proxyActivities<InterviewActivities>({
    startToCloseTimeout: '45 seconds',
    taskQueue: ai_task_queue,
  });
  await storeInterview({ interview_id });
  await draftInterview({ interview_id });
}
