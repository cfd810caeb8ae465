import { z } from 'zod';
import { coachStatus, processingStatus, resultStatus, riskSeverity } from './result-enums';
import { timestamp, uuid } from '../platform/operation/vocabulary';

const maybe = (description: string) => z.string().nullable().meta({ description });

/** Fields of a result that several operations share. */
export const resultField = {
  interview_result_id: uuid.meta({
    description: 'Id of the result, as `merchant-result-list` and webhooks tell it.',
  }),
  interview_id: z.string().meta({
    description: 'Id of the interview definition; of a result in a position, of its step.',
  }),
  is_test: z.boolean().meta({
    description: 'True for a result of a test link: it costs nothing and counts nowhere.',
  }),
  status: resultStatus,
  interview_status: coachStatus
    .nullable()
    .meta({ description: 'How far the session has come; null before it begins.' }),
  processing_status: processingStatus.nullable(),
  is_successful: z.boolean().nullable().meta({
    description: 'True once the result is submitted and scored, false once it was reopened; null before.',
  }),
  submitted_at: timestamp.nullable().meta({ description: 'When the candidate submitted; null before that.' }),
  score: z.number().nullable().meta({
    description:
      'Score of the session with one decimal: 0 to 10, or to the `max_score` of the interview. Null until it is scored.',
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
      'Rises with every change of the result. Of two copies, here or in webhooks, the one with the higher revision is newer.',
  }),
  recruiter_shortlist: z.boolean().meta({ description: 'True when the candidate is on the shortlist.' }),
};

/** A risk that was flagged for recruiters. */
export const recruiterRisk = z
  .object({
    key: z.string().meta({ description: 'What kind of risk it is, such as `job_hopping`.' }),
    severity: riskSeverity,
    confidence: z.number().nullish().meta({ description: 'How sure the finding is, from 0 to 1.' }),
    note: z.string().nullish().meta({ description: 'An explanation.' }),
  })
  .meta({ id: 'RecruiterRisk', description: 'A risk for the recruiter to look at.' });

/** The candidate of a result, null if it has none. */
export const resultCandidate = z
  .object({
    profile_interview_id: z
      .string()
      .meta({ description: 'Id of the enrolment: this candidate at this interview or position.' }),
    profile_id: z.string().meta({ description: 'Id of the candidate.' }),
    name: maybe('Name of the candidate.'),
    email: z.string().meta({ description: 'E-mail address of the candidate.' }),
    external_id: maybe('The reference that the candidate was registered with.'),
    phone: maybe('Phone number of the candidate, as it was sent.'),
  })
  .meta({ id: 'ResultCandidate', description: 'The candidate. Null when the result has none.' });
