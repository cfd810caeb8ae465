import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';

/** The search attributes of workflows (docs/architecture.md#rules-of-workflows), all of type Keyword. */
export const searchAttributes = {
  MerchantId: 'Keyword',
  Environment: 'Keyword',
  EndpointId: 'Keyword',
  FlowStatus: 'Keyword',
} as const;

/**
 * Returns the names of the task queues, one for each resource that the work needs. Deployments that share a namespace
 * have different prefixes.
 */
export const taskQueues = (prefix: string) => ({
  main: `${prefix}main`,
  ai: `${prefix}ai`,
  /** The queue for work that a candidate waits for in the middle of an interview. No other work may use this queue. */
  live: `${prefix}live`,
  signIn: `${prefix}sign-in`,
  reports: `${prefix}reports`,
  reportMails: `${prefix}report-mails`,
  scoring: `${prefix}scoring`,
  pdfs: `${prefix}pdfs`,
});

export type TaskQueues = ReturnType<typeof taskQueues>;

/** Returns the task queues that have the same prefix as a workflow's main queue. */
export const taskQueuesOf = (mainQueue: string): TaskQueues => taskQueues(mainQueue.replace(/main$/, ''));

/** Returns the name of the queue for calls of the model. It has the same prefix as the given main or live queue. */
export const aiQueueOf = (queue: string): string => taskQueues(queue.replace(/(main|live)$/, '')).ai;

/** The id of the workflow that builds this interview. */
export const interviewCreationId = (interviewId: string) => `interview-creation/${interviewId}`;

/** The summaries that Temporal operators see for workflows that the outbox started, by workflow type. */
export const workflowSummaries: Readonly<Record<string, string>> = {
  invitationBatch: 'Sends the mails of one call and their reminders',
  webhookRetries: 'Retries failed deliveries of a webhook endpoint',
  webhookReplay: 'Replays many deliveries of a merchant',
  signInMail: 'Mails a sign-in link',
  issueReport: 'Sends a technical issue to support',
  featureRequest: 'Posts a feature request on the board',
  reportDelivery: 'Mails a report to its recipients',
  interviewAttempt: 'Decides on the turns of an interview and transcribes answers',
  interviewSpeech: 'Renders the texts of an interview as speech',
  questionVideos: 'Plans the videos of an interview',
  questionVideo: 'Renders a text of an interview as a video',
  resultScoring: 'Scores a submitted attempt',
  resultPdf: 'Renders the PDF of a result',
};

/**
 * Types of workflows that the outbox may start again after they were terminated, cancelled or failed. Their rows record
 * whether work is still to do.
 */
export const restartableWorkflows: ReadonlySet<string> = new Set(['issueReport']);

/** The state of a long workflow as one word. Temporal operators filter workflows by it. */
export const flowStatusKey = defineSearchAttributeKey('FlowStatus', 'KEYWORD');

const merchantAttribute = defineSearchAttributeKey('MerchantId', 'KEYWORD');

/** Returns the merchant of a workflow, or undefined for workflows of platform admins. */
export const merchantOfWorkflow = (attributes: TypedSearchAttributes): string | undefined =>
  attributes.get(merchantAttribute);

/**
 * Returns the search attributes for a workflow's merchant and environment. Workflows of platform admins have no
 * merchant.
 */
export const scopeAttributes = (merchantId: string | null, environment: string) =>
  new TypedSearchAttributes([
    ...(merchantId === null ? [] : [{ key: merchantAttribute, value: merchantId }]),
    { key: defineSearchAttributeKey('Environment', 'KEYWORD'), value: environment },
  ]);

/** An endpoint with its merchant and environment. */
export type EndpointScope = { endpoint_id: string; merchant_id: string; environment: string };

/**
 * The id of the workflow that retries an endpoint's failed deliveries. The workflow runs while there are failed
 * deliveries.
 */
export const webhookRetriesId = (endpointId: string) => `webhook-retries/${endpointId}`;

/**
 * Signals of `webhookRetries`. `changed` says that a delivery has failed or that the endpoint has changed. `retryNow`
 * asks to send one waiting delivery (`{delivery_id}`) or all of them now. `pause` and `resume` change the endpoint in
 * the database and are meant for Temporal operators.
 */
export const retrySignals = {
  changed: 'changed',
  retryNow: 'retryNow',
  pause: 'pause',
  resume: 'resume',
} as const;

/**
 * The options that signal an endpoint's workflow, and start the workflow if it is not running:
 * `client.workflow.signalWithStart('webhookRetries', { ...retriesStart(scope, queues), signal: retrySignals.changed
 * })`.
 */
export const retriesStartOptions = (
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

/** The id of the workflow that sends the deliveries of this replay. */
export const webhookReplayId = (replayId: string) => `webhook-replay/${replayId}`;

/** The id of the workflow that sends the mails of this batch, and the reminders. */
export const invitationBatchId = (batchId: string) => `invitation-batch/${batchId}`;

/** The id of the workflow that posts this feature request. */
export const featureRequestId = (requestId: string) => `feature-request/${requestId}`;

/**
 * The id of the Temporal Schedule that mails a report. Temporal starts workflows with this id followed by the time of
 * the start.
 */
export const deliveryScheduleId = (scheduleId: string) => `report-delivery/${scheduleId}`;

/** The id of the workflow that mails this sign-in link. */
export const signInMailId = (signInId: string) => `sign-in-mail/${signInId}`;

/**
 * The id of the workflow that sends this technical issue to support. It begins with `issue-report`, the
 * former name of technical issues.
 */
export const technicalIssueId = (issueId: string) => `issue-report/${issueId}`;

/** The name of an update of `issueReport`, which returns `sent` or `queued` when the first attempt has ended. */
export const firstOutcomeUpdateName = 'firstOutcome';

/** The id of the workflow that conducts this attempt and decides which question or follow-up is asked next. */
export const interviewAttemptId = (resultId: string, attempt: number) =>
  `interview-attempt/${resultId}/${attempt}`;

/**
 * The name of an update of `interviewAttempt`. It asks the next turn, which is the question or follow-up after a
 * given turn, and returns when this is done. The id of the update is the id of the given turn.
 */
export const nextTurnUpdateName = 'nextTurn';

/** The name of a signal of `interviewAttempt`, which says that a turn, such as a question, has no speech yet. */
export const speechMissingSignalName = 'speechMissing';

/** The id of the workflow that renders this video of a question. */
export const questionVideoId = (videoId: string) => `question-video/${videoId}`;

/** The name of a signal of `questionVideo`, which says that the provider has reported the end of the rendering. */
export const videoReportedSignalName = 'videoReported';

/**
 * The id of the workflow that scores this attempt. Each rescore is a new `run`. The SQL function `app.queue_scoring`
 * builds the same id.
 */
export const resultScoringId = (resultId: string, attempt: number, run: number) =>
  `result-scoring/${resultId}/${attempt}/${run}`;

/**
 * The id of the workflow that renders a PDF of this attempt for a caller. `options` is a hash of the sections that the
 * caller asked for.
 */
export const resultPdfId = (resultId: string, attempt: number, options: string) =>
  `result-pdf/${resultId}/${attempt}/${options}`;

/**
 * The id of the workflow that renders the PDF that the interview's settings ask for. Each revision of the result has its
 * own workflow, because a workflow that is already running may have read the result before it changed.
 */
export const automaticPdfId = (resultId: string, attempt: number, revision: number) =>
  `result-pdf/${resultId}/${attempt}/automatic/${revision}`;
