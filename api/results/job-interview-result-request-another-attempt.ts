import { z } from 'zod';
import { recordAuditEntry } from '../../db/platform/audit';
import { reopenResult } from '../../db/results/result-decisions';
import { checkNames } from '../../db/webhooks/public';
import { mailReopened } from '../people/public';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { writers } from '../platform/operation/vocabulary';
import { resultField } from './result-fields';

export const jobInterviewResultRequestAnotherAttempt = defineOperation({
  name: 'job-interview-result-request-another-attempt',
  method: 'POST',
  tag: 'Results',
  summary: 'Reopen a submitted result so that the candidate can retake it',
  description: `Reopens a submitted result so that the candidate can retake the interview. The result keeps its id and becomes a draft of the next
\`attempt\`: it is no longer successful, its scores and its decision are cleared, and the finished attempt is kept as history, which
\`job-interview-details\` reads by \`attempt\`. All links of the candidate stop working: make a new one with \`job-interview-register-users\` or
\`invite-users\`. If an owner has turned it on in the console, the candidate is mailed a new
link at once, which takes no invitation from the budget. No webhook event is sent when a result is reopened.

If the candidate has already begun another attempt, it ends without a submit. The next attempt can have the same questions, and a candidate whose
\`result_view\` shows rubrics has read the right options of multiple choices after the last one.

Only a result that is submitted and scored can be reopened. Any other result, an unknown id and a second call are a 422.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ interview_result_id: resultField.interview_result_id }),
  example: { interview_result_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
  reply: z.object({}),
  replyExample: {},
  statuses: [],
  /** Reopens a result for the candidate's next attempt (docs/results.md#reopening-a-result). */
  handle({ input: { interview_result_id }, write }) {
    return write(async (trx) => {
      if (!(await reopenResult(trx, interview_result_id))) {
        const names = await trx.one(checkNames(undefined, interview_result_id));
        throw names.result_known
          ? new ApiError(
              'not_permitted_state',
              'interview_result_id must name a result that is submitted and scored.',
              'interview_result_id',
            )
          : new ApiError(
              'unknown_id',
              'interview_result_id does not name an interview result.',
              'interview_result_id',
            );
      }
      const is_mailed = await mailReopened(trx, interview_result_id);
      await trx.count(
        recordAuditEntry(
          'job-interview-result-request-another-attempt',
          interview_result_id,
          is_mailed ? { is_mailed } : {},
        ),
      );
      return {};
    });
  },
});
