import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';

/** Search attributes of every workflow (docs/architecture.md#rules-of-workflows). All are keywords. */
export const searchAttributes = {
  MerchantId: 'Keyword',
  Environment: 'Keyword',
  EndpointId: 'Keyword',
  WorkflowStatus: 'Keyword',
} as const;

/** Task queues by resource; a deployment that shares a namespace sets a prefix. */
export const taskQueues = (prefix: string) => ({
  main: `${prefix}main`,
  ai: `${prefix}ai`,
  webhooks: `${prefix}webhooks`,
  signIn: `${prefix}sign-in`,
});

export type TaskQueues = ReturnType<typeof taskQueues>;

/** The queue of the senders of webhooks, beside a workflow's own. */
export const webhooksQueueBeside = (mainQueue: string): string =>
  taskQueues(mainQueue.replace(/main$/, '')).webhooks;

/** The workflow that builds the interview with this id. */
export const interviewCreationId = (interviewId: string) => `interview-creation/${interviewId}`;

/** What operators read beside a workflow that the outbox started; by workflow type. */
export const workflowSummaries: Readonly<Record<string, string>> = {
  invitationBatch: 'Sends the mails of one call and its reminders',
  webhookRetries: 'Repeats the deliveries that failed of one webhook endpoint',
  webhookReplay: 'Sends many deliveries anew, as somebody asked',
  signInMail: 'Mails a link into the console',
  issueReport: 'Hands a technical issue to support',
  featureRequest: 'Posts a feature request on the board',
};

/** Workflows of which one that was terminated, cancelled or failed may be started anew: their rows say what is left to do. */
export const restartable: ReadonlySet<string> = new Set(['issueReport']);

/** Where a long workflow stands, in a word that operators filter by. */
export const workflowStatus = defineSearchAttributeKey('WorkflowStatus', 'KEYWORD');

/** Search attributes that say whose a workflow is; a platform admin's own is of no merchant. */
export const scopeAttributes = (merchantId: string | null, environment: string) =>
  new TypedSearchAttributes([
    ...(merchantId === null
      ? []
      : [{ key: defineSearchAttributeKey('MerchantId', 'KEYWORD'), value: merchantId }]),
    { key: defineSearchAttributeKey('Environment', 'KEYWORD'), value: environment },
  ]);

/** An endpoint, and whose it is. */
export type EndpointScope = { endpoint_id: string; merchant_id: string; environment: string };

/** The workflow that repeats an endpoint's failed deliveries: it runs while there are any. */
export const webhookRetriesId = (endpointId: string) => `webhook-retries/${endpointId}`;

/**
 * Signals of `webhookRetries`: something new waits, or the endpoint has changed; waiting deliveries go out now, one
 * (`{delivery_id}`) or all; the endpoint is paused, or resumed: the last two are for operators of Temporal, and write.
 */
export const retrySignals = {
  failed: 'failed',
  retryNow: 'retryNow',
  pause: 'pause',
  resume: 'resume',
} as const;

/**
 * How a signal reaches the endpoint's workflow, whether it runs or not:
 * `client.workflow.signalWithStart('webhookRetries', { ...retriesStart(scope, queues), signal: retrySignals.failed })`.
 */
export const retriesStart = (
  { endpoint_id, merchant_id, environment }: EndpointScope,
  queues: TaskQueues,
) => ({
  workflowId: webhookRetriesId(endpoint_id),
  taskQueue: queues.main,
  args: [{ endpoint_id }],
  workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
  workflowIdConflictPolicy: 'USE_EXISTING' as const,
  typedSearchAttributes: scopeAttributes(merchant_id, environment).updateCopy([
    { key: defineSearchAttributeKey('EndpointId', 'KEYWORD'), value: endpoint_id },
  ]),
  staticSummary: workflowSummaries['webhookRetries'],
});

/** The workflow that sends deliveries anew for the replay with this id. */
export const webhookReplayId = (replayId: string) => `webhook-replay/${replayId}`;

/** The workflow that sends the mails of the batch with this id, and its reminders. */
export const invitationBatchId = (batchId: string) => `invitation-batch/${batchId}`;

/** The workflow that posts the feature request with this id. */
export const featureRequestId = (requestId: string) => `feature-request/${requestId}`;

/** The workflow that mails the sign-in link with this id. */
export const signInMailId = (signInId: string) => `sign-in-mail/${signInId}`;

/** The workflow that hands the technical issue with this id to support. */
export const issueReportId = (reportId: string) => `issue-report/${reportId}`;

/** Update of `issueReport`: answers `sent` or `queued` when its first attempt has ended. */
export const firstOutcome = 'firstOutcome';
