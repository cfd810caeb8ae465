import { z } from 'zod';
import { recordAuditEntry } from '../../db/platform/audit';
import type { Transaction } from '../../db/platform/database';
import { insertWorkflowStart } from '../../db/platform/workflow-starts';
import { findPdfTarget } from '../../db/results/result-pdf';
import { overrideScore } from '../../db/scoring/public';
import { automaticPdfId } from '../../workflows/ids';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { requiredText, uuid, writers } from '../platform/operation/vocabulary';
import { bracketTexts } from '../platform/text/language-texts';
import { attemptField, requireCurrentAttempt } from './require-attempt';
import { resultField } from './result-fields';

export const jobInterviewResultOverrideScore = defineOperation({
  name: 'job-interview-result-override-score',
  method: 'POST',
  tag: 'Results',
  summary: "Set a person's score instead of the computed one",
  description: `Sets the score of a scored result, or of one answer of it, with the reason. The computed score is kept: \`score_answer_ai\` of an answer
stays as it is, and \`score_ai\` in the reply is the computed score. A later scoring does not replace a score that a person has set. \`score\`
null withdraws it, and the computed score counts again.

The score of an answer does not change the score of the result: set both if you want both. A changed score of the result sends the event
\`interview_result\`.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    interview_result_id: resultField.interview_result_id,
    attempt: attemptField,
    result_question_id: uuid.nullable().optional().meta({
      description: 'Id of an answer in the transcript. Left out: the score of the whole result.',
    }),
    score: z.number().min(0).max(1_000).multipleOf(0.1).nullable().meta({
      description:
        'The score: 0 to 10 for a result, or to the `max_score` of its interview, and 1 to 5 for an answer. Null withdraws it.',
    }),
    reason: requiredText(2_000).meta({ description: 'Why the score is set, at most 2,000 characters.' }),
  }),
  example: {
    interview_result_id: '01a1fcf7-b13e-74de-bd85-c2fc187618a1',
    score: 8,
    reason: 'The candidate showed the same work in the second interview.',
  },
  reply: z.object({
    interview_result_id: z.string().meta({ description: 'Id of the result.' }),
    attempt: z.int().meta({ description: 'The attempt whose score was set, counted from 1.' }),
    score: z.number().nullable().meta({ description: 'The score that counts now.' }),
    score_ai: z.number().nullable().meta({ description: 'The computed score.' }),
  }),
  replyExample: {
    interview_result_id: '01a1fcf7-b13e-74de-bd85-c2fc187618a1',
    attempt: 1,
    score: 8,
    score_ai: 7.5,
  },
  statuses: [404, 409],
  /** Records a score that a person has set, next to the computed one (docs/results.md#scores-that-people-set). */
  handle({
    input: { interview_result_id, attempt: wanted, result_question_id = null, score, reason },
    write,
  }) {
    return write(async (trx) => {
      await requireCurrentAttempt(trx, interview_result_id, wanted);
      const decided = await trx.one(
        overrideScore(interview_result_id, result_question_id, score, reason, bracketTexts),
      );
      if (decided.outcome === 'unknown')
        throw new ApiError(
          'not_found',
          'There is no result with this interview_result_id.',
          'interview_result_id',
        );
      if (decided.outcome === 'not_scored')
        throw new ApiError(
          'not_permitted_state',
          'interview_result_id must name a result that is submitted and scored.',
          'interview_result_id',
        );
      if (decided.outcome === 'unknown_question')
        throw new ApiError(
          'unknown_id',
          'result_question_id does not name an answer of this result.',
          'result_question_id',
        );
      if (decided.outcome === 'out_of_range')
        throw new ApiError(
          'invalid_value',
          result_question_id === null
            ? 'score must be from 0 to the max_score of the interview.'
            : 'score must be from 1 to 5.',
          'score',
        );
      const { attempt } = decided;
      await trx.count(
        recordAuditEntry('job-interview-result-override-score', interview_result_id, {
          attempt,
          ...(result_question_id === null ? {} : { result_question_id }),
          score,
        }),
      );
      await remakePdf(trx, interview_result_id);
      return {
        interview_result_id,
        attempt: attempt ?? 1,
        score: decided.score,
        score_ai: decided.score_ai,
      };
    });
  },
});

/**
 * Queues the automatic PDF again, because the PDF shows the scores. If the earlier PDF is less than a day old, the
 * result keeps its address.
 */
async function remakePdf(trx: Transaction, resultId: string): Promise<void> {
  const target = await trx.maybeOne(findPdfTarget(resultId, undefined));
  if (!target?.pdf_export_auto_config) return;
  const { attempt, revision } = target;
  await trx.count(
    insertWorkflowStart('resultPdf', automaticPdfId(resultId, attempt, revision), {
      result_id: resultId,
      attempt,
    }),
  );
}
