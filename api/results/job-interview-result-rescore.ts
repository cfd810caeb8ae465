import { WorkflowNotFoundError } from '@temporalio/client';
import { z } from 'zod';
import { recordAuditEntry } from '../../db/platform/audit';
import { findOpenRun, rescoreResult } from '../../db/scoring/public';
import { resultScoringId } from '../../workflows/ids';
import type { OperationDeps } from '../deps';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { writers } from '../platform/operation/vocabulary';
import { resultField } from './result-fields';

export const jobInterviewResultRescore = defineOperation({
  name: 'job-interview-result-rescore',
  method: 'POST',
  tag: 'Results',
  summary: 'Score a submitted result again',
  description: `Queues another scoring of a submitted result, with the rubrics that were in force when the attempt began. Records of earlier runs are kept,
and \`scoring\` in \`job-interview-details\` says what the latest run changed. Scores that a person has set stay as they are, and so do decisions,
notes and risks that a person has changed.

A result that is scored keeps its \`processing_status\` meanwhile; one whose scoring failed is queued again. The event \`interview_result\` is sent if
a field changes that webhooks watch. While a scoring is in progress, the call is a 409.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ interview_result_id: resultField.interview_result_id }),
  example: { interview_result_id: '01a1fcf7-b13e-74de-bd85-c2fc187618a1' },
  reply: z.object({
    interview_result_id: z.string().meta({ description: 'Id of the result.' }),
    attempt: z.int().meta({ description: 'The attempt that is scored, counted from 1.' }),
    run: z.int().meta({ description: 'The number of this scoring of the attempt, counted from 1.' }),
  }),
  replyExample: { interview_result_id: '01a1fcf7-b13e-74de-bd85-c2fc187618a1', attempt: 1, run: 2 },
  statuses: [404, 409],
  /** Queues the next run of the scoring (docs/results.md#scoring). */
  async handle({ input: { interview_result_id }, caller, write }, { database, temporal }) {
    const [open] = await database.query(caller, findOpenRun(interview_result_id));
    // Temporal does not know a workflow that was queued but not started yet. Its run does not count as abandoned.
    const isAbandoned =
      open?.is_started === true &&
      !(await isRunning(temporal, resultScoringId(interview_result_id, open.attempt, open.run)));
    return write(async (trx) => {
      const queued = await trx.one(rescoreResult(interview_result_id, isAbandoned ? open.run : null));
      if (queued.outcome === 'unknown')
        throw new ApiError(
          'not_found',
          'There is no result with this interview_result_id.',
          'interview_result_id',
        );
      if (queued.outcome === 'not_scorable')
        throw new ApiError(
          'not_permitted_state',
          'interview_result_id must name a submitted result with scored questions.',
          'interview_result_id',
        );
      if (queued.outcome === 'in_progress')
        throw new ApiError(
          'state_conflict',
          'This result is being scored. Wait until the scoring has ended.',
        );
      const { attempt, run } = queued;
      await trx.count(
        recordAuditEntry('job-interview-result-rescore', interview_result_id, { attempt, run }),
      );
      return { interview_result_id, attempt, run };
    });
  },
});

/**
 * Returns true if the workflow is running. A workflow that was terminated, or that Temporal no longer stores, is not.
 * If Temporal is unavailable, the workflow counts as running, because it continues when Temporal is back.
 */
const isRunning = (temporal: OperationDeps['temporal'], workflowId: string): Promise<boolean> =>
  temporal
    .withDeadline(Date.now() + 4_000, () => temporal.workflow.getHandle(workflowId).describe())
    .then(
      ({ status }) => status.name === 'RUNNING',
      (error: unknown) => !(error instanceof WorkflowNotFoundError),
    );
