import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { Context } from '@temporalio/activity';
import { Connection, WithStartWorkflowOperation } from '@temporalio/client';
import {
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker';
import type { SignInActivities } from '../../../activities/identity/sign-in';
import type { InterviewActivities } from '../../../activities/interviews/interviews';
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
  firstOutcome,
  featureRequestId,
  workflowSummaries,
  interviewAttemptId,
  resultPdfId,
  resultScoringId,
  interviewCreationId,
  invitationBatchId,
  technicalIssueId,
  retriesStart,
  scopeAttributes,
  signInMailId,
  taskQueues,
  reportDeliveryId,
  webhookReplayId,
} from '../../../workflows/ids';
import type { ResultScoringInput } from '../../../workflows/result-scoring';
import type { TechnicalIssueInput } from '../../../workflows/technical-issue';
import type { WebhookReplayInput } from '../../../workflows/webhook-replay';
import type { WebhookRetriesInput } from '../../../workflows/webhook-retries';
import { infrastructure } from './infrastructure';
import { patientClient } from './patient-client';

/** The bundle of the product, which the build creates. */
export const bundlePath = path.resolve(__dirname, '../../../dist/workflows/bundle.js');

let isQuiet = false;
/**
 * Sets up the Temporal SDK so that failures which tests cause on purpose do not appear in the output. Call it before
 * any worker starts.
 */
export function quietRuntime(): void {
  if (isQuiet) return;
  isQuiet = true;
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
 * and its own task queues.
 */
export async function startTestWorker(
  activities: Partial<
    InterviewActivities &
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
  /** If true, also starts the worker for interviews that candidates take. */
  { isLive = false } = {},
) {
  const address = infrastructure().temporalAddress;
  const queues = taskQueues(`test-${randomBytes(4).toString('hex')}-`);
  const connection = await NativeConnection.connect({ address });
  const clientConnection = await Connection.connect({ address });
  const client = patientClient(clientConnection);
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
  const merchantId = '00000000-0000-4000-8000-000000000001';
  const scope = scopeAttributes(merchantId, 'production');
  const startOfIssue = (id: string, more: Partial<TechnicalIssueInput>) => ({
    workflowId: technicalIssueId(id),
    taskQueue: queues.main,
    args: [{ report_id: id, ...more }],
    typedSearchAttributes: scope,
    staticSummary: workflowSummaries['issueReport'],
  });
  return {
    client,
    queues,
    /** Starts the workflow as the API does. */
    startCreation: (id: string) =>
      client.workflow.start('interviewCreation', {
        workflowId: interviewCreationId(id),
        taskQueue: queues.main,
        args: [{ interview_id: id, ai_task_queue: queues.ai }],
        workflowExecutionTimeout: '60 seconds',
        typedSearchAttributes: scope,
        staticSummary: 'Drafts an interview with the model and stores it',
      }),
    /** Starts the workflow as the outbox does. The workflow tries to send for a day; `more` can shorten this time. */
    startBatch: (id: string, more: { tried_for_ms?: number } = {}) =>
      client.workflow.start('invitationBatch', {
        workflowId: invitationBatchId(id),
        taskQueue: queues.main,
        args: [{ batch_id: id, ...more }],
        typedSearchAttributes: scope,
        staticSummary: workflowSummaries['invitationBatch'],
      }),
    /** Starts the workflow as the outbox does. The workflow tries to send for a week; `more` can shorten this time. */
    startIssue: (id: string, more: Partial<TechnicalIssueInput> = {}) =>
      client.workflow.start('issueReport', startOfIssue(id, more)),
    /** Starts the workflow as the API does, and requests the outcome of the first attempt. */
    askIssue: (id: string, more: Partial<TechnicalIssueInput> = {}) =>
      client.workflow.executeUpdateWithStart(firstOutcome, {
        updateId: id,
        args: [],
        startWorkflowOperation: new WithStartWorkflowOperation('issueReport', {
          ...startOfIssue(id, more),
          workflowIdConflictPolicy: 'USE_EXISTING',
          workflowIdReusePolicy: 'REJECT_DUPLICATE',
        }),
      }),
    startFeatureRequest: (id: string) =>
      client.workflow.start('featureRequest', {
        workflowId: featureRequestId(id),
        taskQueue: queues.main,
        args: [{ feature_request_id: id }],
        workflowExecutionTimeout: '2 minutes',
        typedSearchAttributes: scope,
        staticSummary: workflowSummaries['featureRequest'],
      }),
    startSignIn: (id: string) =>
      client.workflow.start('signInMail', {
        workflowId: signInMailId(id),
        taskQueue: queues.main,
        args: [{ sign_in_id: id }],
        typedSearchAttributes: scope,
        staticSummary: workflowSummaries['signInMail'],
      }),
    /** Signals the workflow as the worker does. `more` can shorten its waits, which are hours long. */
    signalRetries: (
      endpointId: string,
      more: Partial<WebhookRetriesInput> = {},
      [signal, ...signalArgs]: [string, ...unknown[]] = ['changed'],
    ) => {
      const start = retriesStart(
        { endpoint_id: endpointId, merchant_id: merchantId, environment: 'production' },
        queues,
      );
      const args = [{ ...start.args[0], ...more }];
      return client.workflow.signalWithStart('webhookRetries', { ...start, args, signal, signalArgs });
    },
    /**
     * Starts the workflow as its Temporal Schedule does. The workflow tries to send for a day; `more` can shorten
     * this time.
     */
    startDelivery: (id: string, more: { tried_for_ms?: number } = {}, merchant = merchantId) =>
      client.workflow.start('reportDelivery', {
        workflowId: `${reportDeliveryId(id)}-2026-01-05T06:00:00Z`,
        taskQueue: queues.main,
        args: [{ schedule_id: id, ...more }],
        typedSearchAttributes: scopeAttributes(merchant, 'production'),
        staticSummary: workflowSummaries['reportDelivery'],
      }),
    /**
     * Starts the workflow as the API does. Without `isLive`, the workflow runs on the main queue, because no worker
     * polls the queue for live interviews.
     */
    startAttempt: (resultId: string, attempt: number) =>
      client.workflow.start('interviewAttempt', {
        workflowId: interviewAttemptId(resultId, attempt),
        taskQueue: isLive ? queues.live : queues.main,
        args: [{ result_id: resultId, attempt }],
        staticSummary: workflowSummaries['interviewAttempt'],
      }),
    /** Starts the workflow as the outbox does. `more` can shorten the time for which the model is called. */
    startScoring: (resultId: string, more: Partial<ResultScoringInput> = {}) => {
      const { attempt = 1, run = 1 } = more;
      return client.workflow.start('resultScoring', {
        workflowId: resultScoringId(resultId, attempt, run),
        taskQueue: queues.main,
        args: [{ result_id: resultId, attempt, run, ...more }],
        typedSearchAttributes: scope,
        staticSummary: workflowSummaries['resultScoring'],
      });
    },
    /** Starts the workflow as the API does if there is a `request`, and otherwise as the outbox does. */
    startPdf: (resultId: string, request?: RequestedPdf) =>
      client.workflow.start('resultPdf', {
        workflowId: request ? resultPdfId(resultId, 1, 'any') : automaticPdfId(resultId, 1, 1),
        taskQueue: queues.main,
        args: [{ result_id: resultId, attempt: 1, ...(request ? { request } : {}) }],
        typedSearchAttributes: scope,
        staticSummary: workflowSummaries['resultPdf'],
      }),
    /** Starts the workflow as the outbox does. */
    startSpeech: (interviewId: string) =>
      client.workflow.start('interviewSpeech', {
        workflowId: `interview-speech/${interviewId}/any`,
        taskQueue: queues.main,
        args: [{ interview_id: interviewId }],
        typedSearchAttributes: scope,
        staticSummary: workflowSummaries['interviewSpeech'],
      }),
    startReplay: (id: string, more: Partial<WebhookReplayInput> = {}) =>
      client.workflow.start('webhookReplay', {
        workflowId: webhookReplayId(id),
        taskQueue: queues.main,
        args: [{ replay_id: id, ...more }],
        typedSearchAttributes: scope,
        staticSummary: workflowSummaries['webhookReplay'],
      }),
    stop: async () => {
      for (const worker of workers) worker.shutdown();
      await Promise.all(running);
      await clientConnection.close();
      await connection.close();
    },
  };
}
