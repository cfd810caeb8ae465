import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';

/** Search attributes of every flow, registered by set-up (`design/flows.md` rule 8). All hold keywords. */
export const searchAttributes = {
  MerchantId: 'Keyword',
  Environment: 'Keyword',
  EndpointId: 'Keyword',
  FlowStatus: 'Keyword',
} as const;

/** Task queues by resource; a deployment that shares a namespace sets a prefix. */
export const taskQueues = (prefix: string) => ({
  main: `${prefix}main`,
  ai: `${prefix}ai`,
});

export type TaskQueues = ReturnType<typeof taskQueues>;

/** The flow that builds the interview with this id. */
export const interviewCreationId = (interviewId: string) => `interview-creation/${interviewId}`;

/** What operators read beside a flow that the outbox started; by workflow type. */
export const flowSummaries: Readonly<Record<string, string>> = {
  invitationBatch: 'Sends the mails of one call and its reminders',
  signInMail: 'Mails a link into the console',
};

/** Where a long flow stands, in a word that operators filter by. */
export const flowStatus = defineSearchAttributeKey('FlowStatus', 'KEYWORD');

/** Search attributes that say whose a flow is; a platform admin's own is of no merchant. */
export const scopeAttributes = (merchantId: string | null, environment: string) =>
  new TypedSearchAttributes([
    ...(merchantId === null
      ? []
      : [{ key: defineSearchAttributeKey('MerchantId', 'KEYWORD'), value: merchantId }]),
    { key: defineSearchAttributeKey('Environment', 'KEYWORD'), value: environment },
  ]);

/** The flow that sends the mails of the batch with this id, and its reminders. */
export const invitationBatchId = (batchId: string) => `invitation-batch/${batchId}`;

/** The flow that mails the sign-in link with this id. */
export const signInMailId = (signInId: string) => `sign-in-mail/${signInId}`;
