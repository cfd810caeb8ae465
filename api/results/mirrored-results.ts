import { z } from 'zod';
import type { Statement } from '../../db/platform/statement';
import { findDecisions } from '../../db/results/decisions';
import { listResultDetails } from '../../db/results/result-details';
import { defineMirrored } from '../platform/operation/mirrored';
import { timestamp } from '../platform/operation/vocabulary';
import { resultDetails } from './result-details';
import type { JobInterviewDetails } from './result-details';
import { resultField } from './result-fields';

/** Results as `GET /sync` returns them: as `job-interview-details` does, without signed addresses. */
export const mirroredResults = defineMirrored({
  body: resultDetails,
  serviceKeys: true,
  async read(trx, ids) {
    const rows = await trx.rows(listResultDetails(ids) as Statement<JobInterviewDetails>);
    return new Map(rows.map((row) => [row.interview_result_id, row]));
  },
});

const decision = z
  .object({
    interview_result_id: z.string().meta({ description: 'Id of the result.' }),
    attempt: z.int().meta({ description: 'The attempt that the decision is about, counted from 1.' }),
    recruiter_go_next_round: resultField.recruiter_go_next_round,
    recruiter_shortlist: resultField.recruiter_shortlist,
    user_feedback_recruiter: z.string().nullable().meta({ description: "The recruiter's note." }),
    stage: resultField.stage.nullable(),
    decided_by: z.string().nullable().meta({
      description: 'Id of the person who decided. Null without a decision, and if a service key decided.',
    }),
    decided_at: timestamp.nullable().meta({ description: 'When it was decided. Null without a decision.' }),
  })
  .meta({
    id: 'MirroredDecision',
    description: 'What recruiters have decided and noted about the latest attempt of a result.',
  });

/** Decisions as `GET /sync` returns them. Their ids are those of the results. */
export const mirroredDecisions = defineMirrored({
  body: decision,
  serviceKeys: true,
  async read(trx, ids) {
    const rows = await trx.rows(findDecisions(ids));
    return new Map(rows.map((row) => [row.interview_result_id, row]));
  },
});
