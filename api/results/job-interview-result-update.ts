import type { z } from 'zod';
import { ApiError } from '../platform/operation/api-error';
import type { jobInterviewResultUpdate } from './job-interview-result-update.contract';
import { recordAct } from '../../db/platform/audit';
import { decideResult } from '../../db/results/result-decisions';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';

type Contract = typeof jobInterviewResultUpdate;

/** Sets the recruiter's fields of a result (docs/results.md#decisions). */
export const updateResult: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = ({ input: { interview_result_id, ...given }, write }) =>
  write(async (trx) => {
    const updated_fields = await decideResult(trx, interview_result_id, given);
    if (updated_fields === 'unknown')
      throw new ApiError(
        'not_found',
        'There is no result with this interview_result_id',
        'interview_result_id',
      );
    if (updated_fields === 'not_submitted')
      throw new ApiError(
        'not_permitted_state',
        'recruiter_go_next_round can be set once the candidate has submitted',
        'recruiter_go_next_round',
      );
    if (updated_fields.length > 0)
      await trx.count(
        recordAct('job-interview-result-update', interview_result_id, {
          updated_fields,
          ...(updated_fields.includes('recruiter_go_next_round')
            ? { recruiter_go_next_round: given.recruiter_go_next_round }
            : {}),
          ...(updated_fields.includes('recruiter_shortlist')
            ? { recruiter_shortlist: given.recruiter_shortlist }
            : {}),
        }),
      );
    return { interview_result_id, updated_fields };
  });
