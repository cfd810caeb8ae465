import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { InterviewActivities } from '../activities/interviews/interviews';
import { modelCalls, transactions } from './policies';

type InterviewCreationInput = {
  interview_id: string;
  /** The task queue of the activities that call the model. */
  ai_task_queue: string;
};

/**
 * Builds the interview with this id: the model writes a draft, then one transaction stores the whole interview. The
 * draft is kept in the interview's row, so that the workflow's history contains only ids.
 */
export async function interviewCreation({
  interview_id,
  ai_task_queue,
}: InterviewCreationInput): Promise<void> {
  const { draftInterview } = proxyActivities<InterviewActivities>({
    ...modelCalls,
    taskQueue: ai_task_queue,
  });
  const { storeInterview } = proxyActivities<InterviewActivities>(transactions);

  setCurrentDetails('**Drafting**: the model writes what the request left out.');
  await draftInterview({ interview_id });
  setCurrentDetails('**Storing**: definition, questions and steps in one transaction.');
  await storeInterview({ interview_id });
  setCurrentDetails('**Built**: the interview can be read.');
}
