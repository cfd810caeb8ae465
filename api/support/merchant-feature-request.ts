import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { z } from 'zod';
import type { ProvenScope, Transaction } from '../../db/platform/database';
import {
  discardFeatureRequest,
  findFeatureRequestStatus,
  insertFeatureRequest,
  listOwnCompanies,
} from '../../db/support/feature-requests';
import type { featureRequest } from '../../workflows/feature-request';
import { featureRequestId, workflowSummaries, scopeAttributes } from '../../workflows/ids';
import type { OperationDeps } from '../deps';
import { ApiError, throwAll } from '../platform/operation/api-error';
import type { Call } from '../platform/operation/call';
import { defineOperation } from '../platform/operation/define-operation';
import { uuid, writers } from '../platform/operation/vocabulary';
import { findPersonalData } from '../platform/text/personal-data';
import { enforceDailyLimit } from './daily-limit';
import { supportText, supportTitle } from './support-text';

const inputSchema = z.object({
  title: supportTitle(5, 120).meta({ description: 'One line, 5 to 120 characters.' }),
  description: supportText(10, 4_000).meta({
    description: 'What you need and why, 10 to 4,000 characters of plain text.',
  }),
});

type Input = z.output<typeof inputSchema>;

/**
 * The time limit for all attempts to post the request, in milliseconds from the start of the call
 * (docs/support.md#feature-requests).
 */
const requestMs = 20_000;
/** The last part of `requestMs`, which is reserved for removing a request that was not posted, and for the reply. */
const replyMs = 500;
/**
 * A request can be posted and recorded only before this time. If Postgres is unavailable until then, the request is
 * never posted.
 */
const recordedMs = requestMs - replyMs - 500;
const startMs = 4_000;
const unavailable = () =>
  new ApiError(
    'feature_board_unavailable',
    'The feature request board is unavailable. Try again later.',
    undefined,
    30,
  );

export const merchantFeatureRequest = defineOperation({
  name: 'merchant-feature-request',
  method: 'POST',
  tag: 'Support',
  summary: 'Post a feature request on the public board',
  description: `Posts a feature request on the public feature board under the caller's name. The post does not name the company. Anyone can read it and vote, and the board
emails the caller about its progress.

Do not send personal data: a text that contains an email address, a phone number, the name of the company, or what looks like a password or key is a 422 that
names the field. White space around both texts is removed.

Each user can post 5 feature requests in 24 hours, over all merchants; further calls are a 429. The call waits up to 20 seconds for the board. If the board does not
accept the post, the call is a 503, and nothing is stored or counted. It is safe to repeat the call: if the board has the post but its reply was lost, no second post
is created.`,
  roles: writers,
  serviceKeys: false,
  needsMerchant: true,
  input: inputSchema,
  example: {
    title: 'Export the shortlist as a spreadsheet',
    description:
      'Hiring managers compare candidates offline. One file with names and scores would save an hour.',
  },
  reply: z.object({
    id: uuid.meta({ description: 'Id of the feature request.' }),
    status: z.literal('posted').meta({ description: 'Always `posted`: the request is on the board.' }),
  }),
  replyExample: { id: '01a1fcf7-b13e-74de-bd85-c2fc187618d1', status: 'posted' },
  statuses: [],
  /**
   * Stores the request and waits for the `featureRequest` workflow to post it. Removes the request if it is not posted
   * in time (docs/support.md#feature-requests).
   */
  async handle(call, deps) {
    const { caller, receivedAt } = call;
    const { id, scope } = await deps.database.write(caller, async (trx) => ({
      scope: await trx.scope(),
      id: await store(trx, call, deps),
    }));
    const outcome = await runWorkflow(id, scope, receivedAt, deps);
    deps.metrics.countWorkflow('featureRequest', outcome);
    if (outcome === 'failed' && !(await isPostedAfterAll(id, call, deps))) throw unavailable();
    return { id, status: 'posted' as const };
  },
});

/**
 * Returns the id of the new row, or of the row that the same call stored earlier. Throws 422, 429 and, if no board is
 * configured, 503.
 */
async function store(
  trx: Transaction,
  { input, receivedAt, idempotencyId }: Call<Input>,
  { featureBoard }: OperationDeps,
): Promise<string> {
  const companies = await trx.rows(listOwnCompanies);
  assertNoPersonalData(
    input,
    companies.map(({ name }) => name),
  );
  if (!featureBoard) throw unavailable();
  if (idempotencyId !== undefined) {
    const before = await trx.rows(findFeatureRequestStatus(idempotencyId));
    if (before.length > 0) return idempotencyId;
  }
  await enforceDailyLimit(trx, 'feature_request');
  const row = await trx.maybeOne(
    insertFeatureRequest({
      id: idempotencyId ?? null,
      ...input,
      remaining_ms: receivedAt + recordedMs - Date.now(),
    }),
  );
  if (!row) throw unavailable();
  return row.id;
}

function assertNoPersonalData(input: Input, companyNames: readonly string[]): void {
  throwAll(
    (['title', 'description'] as const).flatMap((name) => {
      const found = findPersonalData(input[name], companyNames);
      const message = `${name} must not contain ${found}, because the board is public.`;
      return found ? [new ApiError('forbidden_content', message, name)] : [];
    }),
  );
}

/**
 * Waits until the workflow ends or the request's time is up. If an earlier call with the same id has already
 * completed the workflow, returns `completed` immediately.
 */
async function runWorkflow(
  id: string,
  scope: ProvenScope,
  receivedAt: number,
  { temporal, queues }: OperationDeps,
): Promise<'completed' | 'failed'> {
  try {
    const handle = await temporal.withDeadline(Date.now() + startMs, () =>
      temporal.workflow.start<typeof featureRequest>('featureRequest', {
        workflowId: featureRequestId(id),
        taskQueue: queues.main,
        args: [{ feature_request_id: id }],
        // After this time, a cleanup job removes the row if the workflow has left it pending.
        workflowExecutionTimeout: '2 minutes',
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
        typedSearchAttributes: scopeAttributes(scope.merchant_id, scope.environment),
        staticSummary: workflowSummaries['featureRequest'],
      }),
    );
    await temporal.withDeadline(receivedAt + requestMs - replyMs, () => handle.result());
    return 'completed';
  } catch (error) {
    return error instanceof WorkflowExecutionAlreadyStartedError ? 'completed' : 'failed';
  }
}

/** Removes the row of the request if the request was not posted. Returns true if it was posted. */
async function isPostedAfterAll(
  id: string,
  { caller }: Call<Input>,
  { database }: OperationDeps,
): Promise<boolean> {
  const [row] = await database.write(caller, async (trx) => {
    await trx.count(discardFeatureRequest(id));
    return trx.rows(findFeatureRequestStatus(id));
  });
  return row?.status === 'posted';
}
