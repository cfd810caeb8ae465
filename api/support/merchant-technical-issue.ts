import { WithStartWorkflowOperation } from '@temporalio/client';
import type { z } from 'zod';
import { ApiError, throwAll } from '../platform/operation/api-error';
import type { merchantTechnicalIssue } from './merchant-technical-issue.contract';
import { checkReportedIds, findIssueReport, insertIssueReport } from '../../db/support/issue-reports';
import type { ReportedIds } from '../../db/support/issue-reports';
import type { ProvenScope } from '../../db/platform/scope';
import { insertWorkflowStart } from '../../db/platform/workflow-starts';
import { firstOutcome, flowSummaries, issueReportId, scopeAttributes } from '../../workflows/ids';
import type { issueReport } from '../../workflows/issue-report';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';
import { claimReport } from './daily-limit';

type Contract = typeof merchantTechnicalIssue;
type Input = z.output<Contract['input']>;

/** Time of the whole call. After it the reply is `queued`, and the workflow goes on (docs/support.md#technical-issues). */
const outcomeMs = 8_000;

/**
 * Stores the report with its flow's start, and waits for the flow's first attempt. What it answers is read from Postgres:
 * a flow that cannot be asked has perhaps sent it all the same.
 */
export const reportTechnicalIssue: Handler<Input, z.input<Contract['reply']>, OperationDeps> = async (
  { input, caller, receivedAt, idempotencyId },
  { database, supportDesk, ...deps },
) => {
  const stored = await database.asCaller(caller, 'write', async (trx) => {
    const scope = await trx.scope();
    if (!supportDesk)
      throw new ApiError(
        'support_unavailable',
        'Reporting issues is unavailable right now',
        undefined,
        unavailableSeconds,
      );
    // A call that is made again under its Idempotency-Key goes on with what it stored.
    if (idempotencyId !== undefined) {
      const earlier = await trx.maybeOne(findIssueReport(idempotencyId));
      if (earlier) return { id: earlier.id, scope };
    }
    const { interview_id = null, result_id = null } = input;
    const known = await trx.one(checkReportedIds(interview_id, result_id));
    judgeIds(known, input);
    await claimReport(trx, 'issue_report');
    const id = idempotencyId ?? known.id;
    const named = known.position_known ? { position_id: interview_id } : { interview_id };
    await Promise.all([
      trx.count(
        insertIssueReport({
          id,
          description: input.description,
          interview_id: null,
          position_id: null,
          ...named,
          result_id,
        }),
      ),
      trx.count(insertWorkflowStart('issueReport', issueReportId(id), { report_id: id })),
    ]);
    return { id, scope };
  });
  await awaitFirstOutcome(stored, receivedAt + outcomeMs, deps);
  // It is stored, which is all that has to be told where it cannot be read now.
  const [report] = await database.queryAsCaller(caller, findIssueReport(stored.id)).catch(() => []);
  return report ?? { id: stored.id, status: 'queued', reference: null };
};

const unavailableSeconds = 3_600;

function judgeIds(known: ReportedIds, { interview_id, result_id }: Input): void {
  const wrong: ApiError[] = [];
  if (interview_id !== undefined && !known.interview_known && !known.position_known)
    wrong.push(
      new ApiError('unknown_id', 'interview_id names no interview or position of yours', 'interview_id'),
    );
  if (result_id !== undefined && !known.result_known)
    wrong.push(new ApiError('unknown_id', 'result_id names no result of yours', 'result_id'));
  throwAll(wrong);
}

/** Starts the flow, or finds it, and waits until it knows how its first attempt went. Never throws: the outbox starts it too. */
async function awaitFirstOutcome(
  { id, scope }: { id: string; scope: ProvenScope },
  deadline: number,
  { temporal, queues, metrics }: Pick<OperationDeps, 'temporal' | 'queues' | 'metrics'>,
): Promise<void> {
  const startWorkflowOperation = new WithStartWorkflowOperation<typeof issueReport>('issueReport', {
    workflowId: issueReportId(id),
    taskQueue: queues.main,
    args: [{ report_id: id }],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    typedSearchAttributes: scopeAttributes(scope.merchant_id, scope.environment),
    staticSummary: flowSummaries['issueReport'],
  });
  await temporal
    .withDeadline(deadline, () =>
      temporal.workflow.executeUpdateWithStart(firstOutcome, {
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
