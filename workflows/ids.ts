import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';

/** Search attributes of every workflow (docs/architecture.md#rules-of-workflows). All are keywords. */
export const searchAttributes = {
  MerchantId: 'Keyword',
  Environment: 'Keyword',
  EndpointId: 'Keyword',
  FlowStatus: 'Keyword',
} as const;

/** Task queues by resource. A deployment that shares a namespace sets a prefix. */
export const taskQueues = (prefix: string) => ({
  main: `${prefix}main`,
  ai: `${prefix}ai`,
  webhooks: `${prefix}webhooks`,
  signIn: `${prefix}sign-in`,
});

export type TaskQueues = ReturnType<typeof taskQueues>;

/** The task queue of the webhook senders that belongs to a workflow's main queue. */
export const webhooksQueueOf = (mainQueue: string): string =>
  taskQueues(mainQueue.replace(/main$/, '')).webhooks;

/** The workflow that builds the interview with this id. */
export const interviewCreationId = (interviewId: string) => `interview-creation/${interviewId}`;

/** The summaries that operators see for workflows started by the outbox, by workflow type. */
export const workflowSummaries: Readonly<Record<string, string>> = {
  invitationBatch: 'Sends the mails of one call and their reminders',
  webhookRetries: 'Retries failed deliveries of a webhook endpoint',
  webhookReplay: 'Replays many deliveries of a merchant',
  signInMail: 'Mails a sign-in link',
  issueReport: 'Sends a technical issue to support',
  featureRequest: 'Posts a feature request on the board',
};

/**
 * Workflow types that may be started again after being terminated, cancelled or failed. Their rows record what is left to
 * do.
 */
export const restartable: ReadonlySet<string> = new Set(['issueReport']);

/** The state of a long workflow, as one word that operators filter by. */
export const workflowStatus = defineSearchAttributeKey('FlowStatus', 'KEYWORD');

/** Search attributes for a workflow's merchant and environment. Workflows of platform admins have no merchant. */
export const scopeAttributes = (merchantId: string | null, environment: string) =>
  new TypedSearchAttributes([
    ...(merchantId === null
      ? []
      : [{ key: defineSearchAttributeKey('MerchantId', 'KEYWORD'), value: merchantId }]),
    { key: defineSearchAttributeKey('Environment', 'KEYWORD'), value: environment },
  ]);

/** An endpoint with its merchant and environment. */
export type EndpointScope = { endpoint_id: string; merchant_id: string; environment: string };

/** The workflow that retries an endpoint's failed deliveries. It runs while there are any. */
export const webhookRetriesId = (endpointId: string) => `webhook-retries/${endpointId}`;

/**
 * Signals of `webhookRetries`. `failed`: a new delivery waits or the endpoint has changed. `retryNow`: send one waiting
 * delivery (`{delivery_id}`) or all of them now. The other two pause and resume the endpoint; they write to the database
 * and are meant for Temporal operators.
 */
export const retrySignals = {
  failed: 'failed',
  retryNow: 'retryNow',
  pause: 'pause',
  resume: 'resume',
} as const;

/**
 * The options for signaling the endpoint's workflow, whether it runs or not:
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

/** The workflow that sends the deliveries of the replay with this id. */
export const webhookReplayId = (replayId: string) => `webhook-replay/${replayId}`;

/** The workflow that sends the mails of the batch with this id, and its reminders. */
export const invitationBatchId = (batchId: string) => `invitation-batch/${batchId}`;

/** The workflow that posts the feature request with this id. */
export const featureRequestId = (requestId: string) => `feature-request/${requestId}`;

/** The workflow that mails the sign-in link with this id. */
export const signInMailId = (signInId: string) => `sign-in-mail/${signInId}`;

/** The workflow that sends the technical issue with this id to support. It keeps the name that it started with. */
export const technicalIssueId = (issueId: string) => `issue-report/${issueId}`;

/** An update of `issueReport`. It returns `sent` or `queued` when the first attempt has ended. */
export const firstOutcome = 'firstOutcome';
