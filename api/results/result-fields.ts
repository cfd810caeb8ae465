import { z } from 'zod';
import { stage } from '../platform/operation/named-enums';
import { timestamp, uuid } from '../platform/operation/vocabulary';
import { coachStatus, processingStatus, resultStatus, riskSeverity } from './result-enums';

const maybe = (description: string) => z.string().nullable().meta({ description });

/** Fields of a result that several operations share. */
export const resultField = {
  interview_result_id: uuid.meta({
    description: 'Id of the result, as in `merchant-result-list` and webhooks.',
  }),
  interview_id: z.string().meta({
    description: 'Id of the interview definition. In a position: the id of the step.',
  }),
  is_test: z.boolean().meta({
    description: 'True for a result of a test link, which costs nothing and is not counted.',
  }),
  status: resultStatus,
  interview_status: coachStatus
    .nullable()
    .meta({ description: 'The progress of the session. Null before it begins.' }),
  processing_status: processingStatus.nullable(),
  is_successful: z.boolean().nullable().meta({
    description:
      'True after the candidate has submitted, also before it is scored and if the scoring fails; false after it was reopened; null before that.',
  }),
  submitted_at: timestamp.nullable().meta({ description: 'When the candidate submitted; null before that.' }),
  score: z.number().nullable().meta({
    description:
      'Score of the session: 0 to 10 with one decimal, multiplied by `max_score` / 10 if the interview had another `max_score` when the attempt began. Null until it is scored.',
  }),
  max_score: z.number().meta({
    description:
      'The highest score that the attempt can get: the `max_score` of the interview when the attempt began. Divide `score` by it to compare attempts.',
  }),
  ai_analysis_recruiter_score: z.number().nullable().meta({
    description:
      'Score that the AI gives in its assessment for the recruiter, 0 to 10. Null until it is scored.',
  }),
  recruiter_go_next_round: z.boolean().nullable().meta({
    description:
      "The recruiter's decision: true selects the candidate for the next round, false rejects, null is no decision.",
  }),
  updated_at: timestamp.meta({ description: 'When the result was last changed.' }),
  revision: z.int().meta({
    description:
      'Increases with every change of the result. If you have two copies, the one with the higher revision is newer.',
  }),
  stage: stage.meta({
    description:
      'The stage of the candidate, who has one at each interview alone and one at each position. A submit, a decision and a reopening set it, and recruiters can set any. Null before the first submit, when it was cleared, and for learners and tests.',
  }),
  recruiter_shortlist: z.boolean().meta({ description: 'True if the candidate is on the shortlist.' }),
};

/** A risk that was flagged for recruiters. */
export const recruiterRisk = z
  .object({
    key: z.string().meta({
      description:
        'The kind of risk. The scoring writes `needs_review`, `instructs_the_assessor`, `edited_after` and `unavailable_transcript`; recruiters can write others.',
    }),
    severity: riskSeverity,
    confidence: z.number().nullish().meta({
      description: 'Confidence in the finding, from 0 to 1. The scoring writes none.',
    }),
    note: z.string().nullish().meta({ description: 'An explanation.' }),
  })
  .meta({ id: 'RecruiterRisk', description: 'A risk for the recruiter to look at.' });

/** The candidate of a result. It is null if the result has none. */
export const resultCandidate = z
  .object({
    profile_interview_id: z
      .string()
      .meta({ description: 'Id of the enrolment: this candidate at this interview or position.' }),
    profile_id: z.string().meta({ description: 'Id of the candidate.' }),
    name: maybe('Name of the candidate.'),
    email: z.string().meta({ description: 'Email address of the candidate.' }),
    external_id: maybe('The reference that the candidate was registered with.'),
    phone: maybe('Phone number of the candidate, as it was sent.'),
  })
  .meta({ id: 'ResultCandidate', description: 'The candidate. Null when the result has none.' });
