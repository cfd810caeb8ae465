import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { Context } from '@temporalio/activity';
import { WithStartWorkflowOperation } from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import {
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker';
import type { SignInActivities } from '../../../activities/identity/sign-in';
import type { InterviewActivities } from '../../../activities/interviews/interviews';
import type { QuestionVideoActivities } from '../../../activities/interviews/question-videos';
import type { InvitationActivities } from '../../../activities/people/invitations';
import type { ReportDeliveryActivities } from '../../../activities/reports/report-deliveries';
import type { RequestedPdf, ResultPdfActivities } from '../../../activities/results/render-result-pdf';
import type { ScoringActivities } from '../../../activities/scoring/score-activities';
import type { FeatureRequestActivities } from '../../../activities/support/feature-requests';
import type { TechnicalIssueActivities } from '../../../activities/support/technical-issues';
import type { AttemptActivities } from '../../../activities/taking/attempts';
import { taskQueueTable } from '../../../activities/task-queues';
import type { WebhookPauseActivities } from '../../../activities/webhooks/webhook-pauses';
import type { WebhookReplayActivities } from '../../../activities/webhooks/webhook-replays';
import type { WebhookRetryActivities } from '../../../activities/webhooks/webhook-retries';
import {
  automaticPdfId,
  firstOutcomeUpdateName,
  featureRequestId,
  workflowSummaries,
  interviewAttemptId,
  resultPdfId,
  resultScoringId,
  interviewCreationId,
  questionVideoId,
  invitationBatchId,
  technicalIssueId,
  retriesStartOptions,
  scopeAttributes,
  signInMailId,
  taskQueues,
  deliveryScheduleId,
  webhookReplayId,
} from '../../../workflows/ids';
import type { QuestionVideoInput } from '../../../workflows/question-video';
import type { ResultScoringInput } from '../../../workflows/result-scoring';
import type { TechnicalIssueInput } from '../../../workflows/technical-issue';
import type { WebhookReplayInput } from '../../../workflows/webhook-replay';
import type { WebhookRetriesInput } from '../../../workflows/webhook-retries';
import { atEnd } from '../at-end';
import { infrastructure } from './infrastructure';
import { connectTemporal } from './patient-client';

/** The bundle of the product, which the build creates. */
export const bundlePath = path.resolve(__dirname, '../../../dist/workflows/bundle.js');

let isInstalled = false;
/**
 * Sets up the Temporal SDK so that failures which tests cause on purpose do not appear in the output. Call it before
 * any worker starts.
 */
export function quietRuntime(): void {
  if (isInstalled) return;
  isInstalled = true;
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
  });
}

/**
 * Runs the work of a fake activity and sends heartbeats meanwhile, as the product's activities do. A fake activity
 * therefore does not time out while it waits for the test.
 */
export async function whileBeating<T>(work: () => Promise<T> | T): Promise<T> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), 500);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}

/**
 * Runs the product's workflows with these activities. The worker uses the Temporal server that all test files share,
 * and its own task queues. It stops when the test file ends.
 */
export async function startTestWorker(
  activities: Partial<
    InterviewActivities &
      QuestionVideoActivities &
      FeatureRequestActivities &
      InvitationActivities &
      TechnicalIssueActivities &
      SignInActivities &
      ResultPdfActivities &
      ReportDeliveryActivities &
      WebhookRetryActivities &
      WebhookPauseActivities &
      WebhookReplayActivities &
      AttemptActivities &
      ScoringActivities
  >,
  /** If `isLive`, also starts the worker for interviews that candidates take. */
  { isLive = false, isQuiet = true } = {},
) {
  if (isQuiet) quietRuntime();
  const address = infrastructure().temporalAddress;
  const queues = taskQueues(`test-${randomBytes(4).toString('hex')}-`);
  const connection = await NativeConnection.connect({ address });
  atEnd(() => connection.close());
  const client = await connectTemporal();
  const shared = { connection, identity: 'test', activities };
  const workers = await Promise.all(
    taskQueueTable(queues, {
      workflowBundle: bundlePath,
      aiConcurrency: 20,
      liveConcurrency: 20,
      scoringConcurrency: 20,
    })
      // No worker is started for the queue of sign-in mails: tests start these workflows on the main queue, and
      // another worker with workflows would cost a second.
      .filter(({ taskQueue }) => taskQueue !== queues.signIn && (isLive || taskQueue !== queues.live))
      .map((queue) => Worker.create({ ...shared, ...queue })),
  );
  const running = workers.map((worker) => worker.run());
  atEnd(async () => {
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
  });
  const merchantId = '00000000-0000-4000-8000-000000000001';
  const scope = scopeAttributes(merchantId, 'production');
  type Start = {
    workflowId: string;
    args: unknown[];
    taskQueue?: string;
    workflowExecutionTimeout?: Duration;
  };
  /** Starts a workflow as the API or the outbox does, by default on the main queue. */
  const start = (type: string, { args, ...more }: Start) =>
    client.workflow.start(type, { ...optionsOf(type), ...more, args });
  const optionsOf = (type: string) => {
    const staticSummary = workflowSummaries[type];
    return {
      taskQueue: queues.main,
      typedSearchAttributes: scope,
      ...(staticSummary === undefined ? {} : { staticSummary }),
    };
  };
  const issue = (id: string, more: Partial<TechnicalIssueInput>) => ({
    workflowId: technicalIssueId(id),
    args: [{ report_id: id, ...more }],
  });
  /* In these functions, `more` can shorten waits and times, which are hours or days long. */
  return {
    client,
    queues,
    startCreation: (id: string) =>
      start('interviewCreation', {
        workflowId: interviewCreationId(id),
        args: [{ interview_id: id, ai_task_queue: queues.ai }],
        workflowExecutionTimeout: '60 seconds',
      }),
    startBatch: (id: string, more: { tried_for_ms?: number } = {}) =>
      start('invitationBatch', { workflowId: invitationBatchId(id), args: [{ batch_id: id, ...more }] }),
    startIssue: (id: string, more: Partial<TechnicalIssueInput> = {}) =>
      start('issueReport', issue(id, more)),
    /** Starts the workflow as the API does, and requests the outcome of the first attempt. */
    askIssue: (id: string, more: Partial<TechnicalIssueInput> = {}) =>
      client.workflow.executeUpdateWithStart(firstOutcomeUpdateName, {
        updateId: id,
        args: [],
        startWorkflowOperation: new WithStartWorkflowOperation('issueReport', {
          ...optionsOf('issueReport'),
          ...issue(id, more),
          workflowIdConflictPolicy: 'USE_EXISTING',
          workflowIdReusePolicy: 'REJECT_DUPLICATE',
        }),
      }),
    startFeatureRequest: (id: string) =>
      start('featureRequest', {
        workflowId: featureRequestId(id),
        args: [{ feature_request_id: id }],
        workflowExecutionTimeout: '2 minutes',
      }),
    startSignIn: (id: string) =>
      start('signInMail', { workflowId: signInMailId(id), args: [{ sign_in_id: id }] }),
    signalRetries: (
      endpointId: string,
      more: Partial<WebhookRetriesInput> = {},
      [signal, ...signalArgs]: [string, ...unknown[]] = ['changed'],
    ) => {
      const begin = retriesStartOptions(
        { endpoint_id: endpointId, merchant_id: merchantId, environment: 'production' },
        queues,
      );
      const args = [{ ...begin.args[0], ...more }];
      return client.workflow.signalWithStart('webhookRetries', { ...begin, args, signal, signalArgs });
    },
    startDelivery: (id: string, more: { tried_for_ms?: number } = {}, merchant = merchantId) =>
      client.workflow.start('reportDelivery', {
        ...optionsOf('reportDelivery'),
        workflowId: `${deliveryScheduleId(id)}-2026-01-05T06:00:00Z`,
        args: [{ schedule_id: id, ...more }],
        typedSearchAttributes: scopeAttributes(merchant, 'production'),
      }),
    /** Without `isLive`, the workflow runs on the main queue, because no worker polls the queue for live interviews. */
    startAttempt: (resultId: string, attempt: number) =>
      client.workflow.start('interviewAttempt', {
        workflowId: interviewAttemptId(resultId, attempt),
        taskQueue: isLive ? queues.live : queues.main,
        args: [{ result_id: resultId, attempt }],
        staticSummary: workflowSummaries['interviewAttempt'],
      }),
    startScoring: (resultId: string, more: Partial<ResultScoringInput> = {}) => {
      const { attempt = 1, run = 1 } = more;
      return start('resultScoring', {
        workflowId: resultScoringId(resultId, attempt, run),
        args: [{ result_id: resultId, attempt, run, ...more }],
      });
    },
    /** Starts the workflow as the API does if there is a `request`, and otherwise as the outbox does. */
    startPdf: (resultId: string, request?: RequestedPdf) =>
      start('resultPdf', {
        workflowId: request ? resultPdfId(resultId, 1, 'any') : automaticPdfId(resultId, 1, 1),
        args: [{ result_id: resultId, attempt: 1, ...(request ? { request } : {}) }],
      }),
    startSpeech: (interviewId: string) =>
      start('interviewSpeech', {
        workflowId: `interview-speech/${interviewId}/any`,
        args: [{ interview_id: interviewId }],
      }),
    startVideos: (interviewId: string) =>
      start('questionVideos', {
        workflowId: `question-videos/${interviewId}/any`,
        args: [{ interview_id: interviewId }],
      }),
    startVideo: (id: string, more: Partial<QuestionVideoInput> = {}) =>
      start('questionVideo', { workflowId: questionVideoId(id), args: [{ video_id: id, ...more }] }),
    startReplay: (id: string, more: Partial<WebhookReplayInput> = {}) =>
      start('webhookReplay', { workflowId: webhookReplayId(id), args: [{ replay_id: id, ...more }] }),
  };
}
