import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { AttemptActivities } from '../activities/taking/attempts';
import { aiQueueOf } from './ids';
import { patientSpeechCalls } from './policies';

type InterviewSpeechInput = { interview_id: string };

/**
 * Renders the questions of an interview as speech, so that the first candidate does not have to wait for the speech.
 * The workflow's history contains only ids and counts.
 */
export async function interviewSpeech({ interview_id }: InterviewSpeechInput): Promise<void> {
  const { speakInterview } = proxyActivities<AttemptActivities>({
    ...patientSpeechCalls,
    taskQueue: aiQueueOf(workflowInfo().taskQueue),
    summary: 'Renders the texts that have no speech yet',
  });
  setCurrentDetails('**Rendering** the texts.');
  const { rendered, failed } = await speakInterview({ interview_id });
  setCurrentDetails(`**Done**: ${rendered} texts rendered, ${failed} rejected by the provider.`);
}
