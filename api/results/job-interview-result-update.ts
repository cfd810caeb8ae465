import { z } from 'zod';
import { recordAuditEntry } from '../../db/platform/audit';
import { decideResult, lockResultAttempt, setStage } from '../../db/results/result-decisions';
import { advanceCandidate } from '../people/public';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation, requireOneOf } from '../platform/operation/define-operation';
import { stage } from '../platform/operation/named-enums';
import { requiredText, text, writers } from '../platform/operation/vocabulary';
import { jobInterviewDetails } from './job-interview-details';
import { attemptField, requireCurrentAttempt } from './require-attempt';
import { riskSeverity } from './result-enums';
import { resultField } from './result-fields';

const risk = z
  .object({
    key: requiredText(100).meta({ description: 'The kind of risk, such as `job_hopping`.' }),
    severity: riskSeverity,
    confidence: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: 'Confidence in the finding, from 0 to 1.' }),
    note: text(2_000).optional().meta({ description: 'An explanation.' }),
  })
  .meta({ id: 'RecruiterRiskInput', description: 'A risk for the recruiter to look at.' });

const updatable = [
  'recruiter_go_next_round',
  'user_feedback_recruiter',
  'recruiter_risks',
  'recruiter_shortlist',
  'stage',
] as const;

export const jobInterviewResultUpdate = defineOperation({
  name: 'job-interview-result-update',
  method: 'POST',
  tag: 'Results',
  summary: "Set the recruiter's decision, note, risks, shortlist mark or stage",
  description: `Sets the decision, the note, the risks or the shortlist mark of a result, or the stage of its candidate. Send at least one of them. The
decision can be set after the candidate has submitted; it sends the event \`interview_result\` to webhook endpoints. The other fields send no event.

If the result is of a step of a position, \`recruiter_go_next_round: true\` moves the candidate to the next step, once, and mails its link unless the
account has turned that off. The mail takes no invitation from the budget. A decision that is changed later does not move the candidate back.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z
    .object({
      interview_result_id: resultField.interview_result_id,
      attempt: attemptField,
      recruiter_go_next_round: z.boolean().nullable().optional().meta({
        description:
          'The decision: true selects the candidate for the next round, false rejects, null clears the decision.',
      }),
      user_feedback_recruiter: text(10_000).nullable().optional().meta({
        description:
          "The recruiter's note, at most 10,000 characters. Null clears it. The note belongs to the attempt that is the result now. If another attempt becomes the result, that one has no note, and `job-interview-details` returns this note for the earlier `attempt`.",
      }),
      recruiter_risks: z.array(risk).max(100).nullable().optional().meta({
        description: 'The whole list of risks, at most 100; it replaces the stored one. Null clears it.',
      }),
      recruiter_shortlist: z
        .boolean()
        .optional()
        .meta({ description: 'True puts the candidate on the shortlist, false takes the candidate off.' }),
      stage: stage.nullable().optional().meta({
        description:
          'The stage of the candidate. A decision in the same call does not change it. Null clears it. A 422 for tests, results without a candidate, and learners.',
      }),
    })
    .superRefine(requireOneOf(updatable)),
  example: { interview_result_id: '01a1fcf7-b13e-74de-bd85-c2fc187618a1', recruiter_go_next_round: true },
  reads: ({ interview_result_id }) => ({ operation: jobInterviewDetails, input: { interview_result_id } }),
  reply: z.object({
    interview_result_id: z.string().meta({ description: 'Id of the result.' }),
    updated_fields: z.array(z.enum(updatable)).meta({ description: 'The fields whose value changed.' }),
  }),
  replyExample: {
    interview_result_id: '01a1fcf7-b13e-74de-bd85-c2fc187618a1',
    updated_fields: ['recruiter_go_next_round'],
  },
  statuses: [404, 409],
  /** Sets the recruiter's fields of a result (docs/results.md#decisions). */
  handle({ input: { interview_result_id, attempt, stage: givenStage, ...given }, write, requireMatch }) {
    return write(async (trx) => {
      await requireCurrentAttempt(trx, interview_result_id, attempt);
      await requireMatch(trx, () => trx.maybeOne(lockResultAttempt(interview_result_id)));
      const decided = await decideResult(trx, interview_result_id, given);
      if (decided === 'unknown')
        throw new ApiError(
          'not_found',
          'There is no result with this interview_result_id.',
          'interview_result_id',
        );
      if (decided === 'not_submitted')
        throw new ApiError(
          'not_permitted_state',
          'recruiter_go_next_round can be set only after the candidate has submitted the interview.',
          'recruiter_go_next_round',
        );
      const isAdvanced =
        decided.includes('recruiter_go_next_round') && given.recruiter_go_next_round === true;
      const next_interview_id = isAdvanced ? await advanceCandidate(trx, interview_result_id) : null;
      // The decision has set a stage, which this one replaces.
      const isStaged = givenStage !== undefined && (await setStage(trx, interview_result_id, givenStage));
      if (isStaged === null)
        throw new ApiError(
          'not_permitted_state',
          'stage can be set only for a candidate, not for a test, a learner or a result without a candidate.',
          'stage',
        );
      const updated_fields = [...decided, ...(isStaged ? (['stage'] as const) : [])].toSorted();
      if (updated_fields.length > 0)
        await trx.count(
          recordAuditEntry('job-interview-result-update', interview_result_id, {
            updated_fields,
            ...(updated_fields.includes('recruiter_go_next_round')
              ? { recruiter_go_next_round: given.recruiter_go_next_round }
              : {}),
            ...(next_interview_id === null ? {} : { next_interview_id }),
            ...(updated_fields.includes('recruiter_shortlist')
              ? { recruiter_shortlist: given.recruiter_shortlist }
              : {}),
            ...(isStaged ? { stage: givenStage } : {}),
          }),
        );
      return { interview_result_id, updated_fields };
    });
  },
});
