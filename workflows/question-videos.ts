import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { QuestionVideoActivities } from '../activities/interviews/question-videos';
import { patientTransactions } from './policies';

const { planQuestionVideos } = proxyActivities<QuestionVideoActivities>({
  ...patientTransactions,
  summary: 'Plans the videos that do not exist yet',
});

/**
 * Plans the videos of an interview's questions. A workflow of its own renders each of them (`questionVideo`), because
 * interviews can share a question.
 */
export async function questionVideos({ interview_id }: { interview_id: string }): Promise<void> {
  const { planned, is_configured } = await planQuestionVideos({ interview_id });
  setCurrentDetails(
    is_configured
      ? `**Done**: ${planned} videos planned.`
      : '**Done**: no provider of videos is configured, so the drawn figure speaks.',
  );
}
