import { WithStartWorkflowOperation } from '@temporalio/client';
import { z } from 'zod';
import type { ProvenScope } from '../../db/platform/database';
import { insertWorkflowStart } from '../../db/platform/workflow-starts';
import {
  checkReportedIds,
  findTechnicalIssue,
  insertTechnicalIssue,
} from '../../db/support/technical-issues';
import type { ReportedIdsCheck } from '../../db/support/technical-issues';
import {
  firstOutcomeUpdateName,
  workflowSummaries,
  technicalIssueId,
  scopeAttributes,
} from '../../workflows/ids';
import type { issueReport } from '../../workflows/technical-issue';
import type { OperationDeps } from '../deps';
import { ApiError, throwAll } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { optionalField, uuid, writers } from '../platform/operation/vocabulary';
import { enforceDailyLimit } from './daily-limit';
import { supportText } from './support-text';

const inputSchema = z.object({
  description: supportText(10, 4_000).meta({
    description:
      'What happened: plain text of 10 to 4,000 characters, without passwords and keys. Blank lines separate paragraphs.',
  }),
  interview_id: optionalField(uuid).meta({
    description: 'Id of the interview or position that the issue is about.',
  }),
  result_id: optionalField(uuid).meta({ description: 'Id of the interview result that the issue is about.' }),
});

type Input = z.output<typeof inputSchema>;

/**
 * The time limit of the whole call, in milliseconds. After it, the reply is `queued` and the workflow continues
 * (docs/support.md#technical-issues).
 */
const outcomeMs = 8_000;

export const merchantTechnicalIssue = defineOperation({
  name: 'merchant-technical-issue',
  method: 'POST',
  tag: 'Support',
  summary: 'Report a technical issue to support',
  description: `Reports a technical issue. It opens a support conversation from the caller's email address, with the company and the given ids, and support
answers in that conversation. If support cannot be reached within 8 seconds, the issue is stored (\`queued\`) and retried for up to 7 days. Send an
\`Idempotency-Key\` to make a repeated call safe.

A text with what looks like a password or key (a private key, a token, an API key, \`password: x\`) is a 422 and is not stored. Each user can report 5 issues in 24
hours, over all merchants; further calls are a 429. A deployment without a support desk returns a 503.`,
  roles: writers,
  serviceKeys: false,
  needsMerchant: true,
  input: inputSchema,
  example: {
    description: 'The page of an interview stays blank after the second question.\n\nIt worked yesterday.',
    interview_id: null,
    result_id: null,
  },
  reply: z.object({
    id: z.string().meta({ description: 'Id of the technical issue.' }),
    status: z.enum(['sent', 'queued']).meta({
      description:
        '`sent`: support received the issue. `queued`: it is stored and is sent as soon as support can be reached.',
    }),
    reference: z
      .string()
      .nullable()
      .meta({
        description: 'Number of the support conversation. Null while the issue is queued.',
        examples: ['#1042'],
      }),
  }),
  replyExample: { id: '01a1fcf7-b13e-74de-bd85-c2fc187618c1', status: 'sent', reference: '#1042' },
  statuses: [],
  /**
   * Stores the technical issue together with the start of its workflow, and waits for the workflow's first attempt.
   * The reply is read from Postgres, because the issue may have been sent even if the workflow cannot be queried.
   */
  async handle({ input, caller, receivedAt, idempotencyId }, { database, supportDesk, ...deps }) {
    const stored = await database.write(caller, async (trx) => {
      const scope = await trx.scope();
      if (!supportDesk)
        throw new ApiError(
          'support_unavailable',
          'Technical issues cannot be reported at the moment. Try again later.',
          undefined,
          unavailableSeconds,
        );
      // A call that is repeated with its Idempotency-Key continues with the issue that the first call stored.
      if (idempotencyId !== undefined) {
        const earlier = await trx.maybeOne(findTechnicalIssue(idempotencyId));
        if (earlier) return { id: earlier.id, scope };
      }
      const { interview_id = null, result_id = null } = input;
      const known = await trx.one(checkReportedIds(interview_id, result_id));
      validateIds(known, input);
      await enforceDailyLimit(trx, 'technical_issue');
      const id = idempotencyId ?? known.id;
      const named = known.position_known ? { position_id: interview_id } : { interview_id };
      await Promise.all([
        trx.count(
          insertTechnicalIssue({
            id,
            description: input.description,
            interview_id: null,
            position_id: null,
            ...named,
            result_id,
          }),
        ),
        trx.count(insertWorkflowStart('issueReport', technicalIssueId(id), { report_id: id })),
      ]);
      return { id, scope };
    });
    await awaitFirstOutcome(stored, receivedAt + outcomeMs, deps);
    // The issue is stored. If it cannot be read now, the reply contains only its id and `queued`.
    const [issue] = await database.query(caller, findTechnicalIssue(stored.id)).catch(() => []);
    return issue ?? { id: stored.id, status: 'queued' as const, reference: null };
  },
});

const unavailableSeconds = 3_600;

function validateIds(known: ReportedIdsCheck, { interview_id, result_id }: Input): void {
  const wrong: ApiError[] = [];
  if (interview_id !== undefined && !known.interview_known && !known.position_known)
    wrong.push(
      new ApiError(
        'unknown_id',
        'interview_id does not name an interview or position of yours.',
        'interview_id',
      ),
    );
  if (result_id !== undefined && !known.result_known)
    wrong.push(new ApiError('unknown_id', 'result_id does not name a result of yours.', 'result_id'));
  throwAll(wrong);
}

/**
 * Starts or finds the workflow and waits for the outcome of its first attempt. Never throws: if the start fails, the
 * outbox starts the workflow later.
 */
async function awaitFirstOutcome(
  { id, scope }: { id: string; scope: ProvenScope },
  deadline: number,
  { temporal, queues, metrics }: Pick<OperationDeps, 'temporal' | 'queues' | 'metrics'>,
): Promise<void> {
  const startWorkflowOperation = new WithStartWorkflowOperation<typeof issueReport>('issueReport', {
    workflowId: technicalIssueId(id),
    taskQueue: queues.main,
    args: [{ report_id: id }],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    typedSearchAttributes: scopeAttributes(scope.merchant_id, scope.environment),
    staticSummary: workflowSummaries['issueReport'],
  });
  await temporal
    .withDeadline(deadline, () =>
      temporal.workflow.executeUpdateWithStart(firstOutcomeUpdateName, {
        startWorkflowOperation,
        updateId: id,
        args: [],
      }),
    )
    .then(
      () => metrics.countWorkflow('issueReport', 'completed'),
      () => metrics.countWorkflow('issueReport', 'failed'),
    );
}
