import { proxyActivities, sleep } from '@temporalio/workflow';
import type { AttemptActivities } from '../../activities/taking/attempts';
import type { FeatureRequestActivities } from '../../activities/support/feature-requests';
import type { InterviewActivities } from '../../activities/interviews/interviews';
import type { TechnicalIssueActivities } from '../../activities/support/technical-issues';
import type { InvitationActivities } from '../../activities/people/invitations';
import type { SignInActivities } from '../../activities/identity/sign-in';
import type { ResultPdfActivities } from '../../activities/results/render-report';
import type { ReportDeliveryActivities } from '../../activities/reports/report-deliveries';
import type { ScoringActivities } from '../../activities/scoring/score-activities';
import type { WebhookReplayActivities } from '../../activities/webhooks/webhook-replays';
import type { WebhookActivities } from '../../activities/webhooks/webhooks';
import type { FeatureRequestInput } from '../../workflows/feature-request';
import type { InterviewAttemptInput } from '../../workflows/interview-attempt';
import type { InterviewSpeechInput } from '../../workflows/interview-speech';
import type { InterviewCreationInput } from '../../workflows/interview-creation';
import type { InvitationBatchInput } from '../../workflows/invitation-batch';
import type { ReportDeliveryInput } from '../../workflows/report-delivery';
import type { ResultPdfInput } from '../../workflows/result-pdf';
import type { ResultScoringInput } from '../../workflows/result-scoring';
import type { TechnicalIssueInput } from '../../workflows/technical-issue';
import type { WebhookReplayInput } from '../../workflows/webhook-replay';
import type { WebhookRetriesInput } from '../../workflows/webhook-retries';

/** Workflows whose changes are incompatible with the recorded histories. Only the replay test runs them. */

/** Changed: stores the interview before drafting it. */
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

/** Changed: waits before it checks the attempt. */
export async function interviewAttempt({ result_id, attempt }: InterviewAttemptInput): Promise<void> {
  const { checkAttempt } = proxyActivities<AttemptActivities>({ startToCloseTimeout: '30 seconds' });
  await sleep(1_000);
  await checkAttempt({ result_id, attempt });
}

/** Changed: waits before rendering. */
export async function interviewSpeech({ interview_id }: InterviewSpeechInput): Promise<void> {
  const { speakInterview } = proxyActivities<AttemptActivities>({ startToCloseTimeout: '30 minutes' });
  await sleep(1_000);
  await speakInterview({ interview_id });
}

/** Changed: waits before sending. */
export async function invitationBatch({ batch_id }: InvitationBatchInput): Promise<void> {
  const { sendMails } = proxyActivities<InvitationActivities>({ startToCloseTimeout: '90 seconds' });
  await sleep(1_000);
  await sendMails({ batch_id });
}

/** Changed: removes the request before posting it. */
export async function featureRequest({ feature_request_id }: FeatureRequestInput): Promise<void> {
  const { postFeatureRequest, removeFeatureRequest } = proxyActivities<FeatureRequestActivities>({
    startToCloseTimeout: '18 seconds',
  });
  await removeFeatureRequest({ feature_request_id });
  await postFeatureRequest({ feature_request_id });
}

/** Changed: waits before sending. */
export async function signInMail({ sign_in_id }: { sign_in_id: string }): Promise<void> {
  const { sendSignInMail } = proxyActivities<SignInActivities>({ startToCloseTimeout: '30 seconds' });
  await sleep(1_000);
  await sendSignInMail({ sign_in_id });
}

/** Changed: waits before attempting the due deliveries. */
export async function webhookRetries({ endpoint_id }: WebhookRetriesInput): Promise<void> {
  const { attemptDue } = proxyActivities<WebhookActivities>({ startToCloseTimeout: '10 minutes' });
  await sleep(5_000);
  await attemptDue({ endpoint_id });
}

/** Changed: waits before the first page. */
export async function webhookReplay({ replay_id }: WebhookReplayInput): Promise<void> {
  const { replayPage } = proxyActivities<WebhookReplayActivities>({ startToCloseTimeout: '30 seconds' });
  await sleep(1_000);
  await replayPage({ replay_id });
}

/** Changed: waits before sending. */
export async function issueReport({ report_id }: TechnicalIssueInput): Promise<void> {
  const { sendIssueReport } = proxyActivities<TechnicalIssueActivities>({ startToCloseTimeout: '1 minute' });
  await sleep(1_000);
  await sendIssueReport({ report_id });
}

/** Changed: waits before opening the run. */
export async function resultScoring(key: ResultScoringInput): Promise<void> {
  const { openScoring } = proxyActivities<ScoringActivities>({ startToCloseTimeout: '30 seconds' });
  await sleep(1_000);
  await openScoring(key);
}

/** Changed: waits before rendering. */
export async function resultPdf({ result_id, attempt }: ResultPdfInput): Promise<void> {
  const { renderReport } = proxyActivities<ResultPdfActivities>({ startToCloseTimeout: '2 minutes' });
  await sleep(1_000);
  await renderReport({ result_id, attempt });
}

/** Changed: waits before opening the delivery. */
export async function reportDelivery({ schedule_id }: ReportDeliveryInput): Promise<void> {
  const { openReportDelivery } = proxyActivities<ReportDeliveryActivities>({
    startToCloseTimeout: '1 minute',
  });
  await sleep(1_000);
  await openReportDelivery({ schedule_id });
}
