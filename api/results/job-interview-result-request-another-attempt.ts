import type { z } from 'zod';
import { ApiError } from '../platform/operation/api-error';
import type { jobInterviewResultRequestAnotherAttempt } from './job-interview-result-request-another-attempt.contract';
import { recordAct } from '../../db/platform/audit';
import { checkNames } from '../../db/webhooks/public';
import { reopenResult } from '../../db/results/result-decisions';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';

type Contract = typeof jobInterviewResultRequestAnotherAttempt;

/** Reopens a result for the candidate's next attempt (docs/results.md#reopening-a-result). */
export const requestAnotherAttempt: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = ({ input: { interview_result_id }, write }) =>
  write(async (trx) => {
    if (!(await reopenResult(trx, interview_result_id))) {
      const names = await trx.one(checkNames(undefined, interview_result_id));
      throw names.result_known
        ? new ApiError(
            'not_permitted_state',
            'interview_result_id must be a submitted result: active and completed',
            'interview_result_id',
          )
        : new ApiError('unknown_id', 'interview_result_id names no interview result', 'interview_result_id');
    }
    await trx.count(recordAct('job-interview-result-request-another-attempt', interview_result_id));
    return {};
  });
