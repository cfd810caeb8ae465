import { z } from 'zod';
import { defineOperation } from './operation';
import {
  coachStatuses,
  processingStatuses,
  resultStatuses,
  riskSeverities,
  transcriptViews,
} from './result-vocabulary';
import { anyJson, queryBoolean, queryInteger, readers, timestamp, uuid } from './vocabulary';

const textOrNull = z.string().nullable();
const numberOrNull = z.number().nullable();
const described = (description: string) => numberOrNull.meta({ description });
const signedUrl = z.string().nullable().optional().meta({
  description: 'Good for 15 minutes; only with `get_signed_recordings`, null where there is no recording.',
});
const deprecatedList = (description: string) =>
  z.array(z.string()).nullable().meta({ deprecated: true, description });

/** A risk that was flagged for recruiters. */
const recruiterRisk = z.object({
  key: z.string(),
  severity: z.enum(riskSeverities),
  confidence: z.number().nullish(),
  note: z.string().nullish(),
});

/** The candidate of a result; null where it has none. */
export const resultCandidate = z.object({
  profile_interview_id: z.string(),
  profile_id: z.string(),
  name: textOrNull,
  email: z.string(),
  external_id: textOrNull,
  phone: textOrNull,
});

export const interaction = z
  .object({
    id: z.string(),
    is_answer: z.boolean(),
    view: z.enum(transcriptViews),
    question_original_id: textOrNull,
    question_original: textOrNull,
    question_asked: textOrNull,
    answer: textOrNull,
    ai_analysis: textOrNull,
    ai_analysis_recruiter: textOrNull,
    score: described('1 to 5'),
    score_simulation: described('1 to 5'),
    score_answer_ai: described('1 to 5'),
    score_answer_ai_simulation: described('1 to 5'),
    duration: z.int().nullable().meta({ description: 'Deciseconds' }),
    platform_language_code: textOrNull,
    answer_assessment_raw_data: anyJson,
    recording_local_path: textOrNull,
    recording_is_video: z.boolean().nullable(),
    external_data: anyJson,
    external_id: textOrNull,
    recording_url: signedUrl,
  })
  .meta({ id: 'Interaction' });

const details = z
  .object({
    interview_result_id: z.string(),
    interview_id: z.string(),
    attempt: z.int(),
    latest_attempt: z.int(),
    is_test: z.boolean(),
    result_status: z.enum(resultStatuses).meta({ description: '`draft` until the candidate submits.' }),
    processing_status: z.enum(processingStatuses).nullable(),
    is_successful: z.boolean().nullable(),
    submitted_at: timestamp.nullable(),
    recruiter_go_next_round: z.boolean().nullable(),
    recruiter_shortlist: z.boolean(),
    ai_analysis_recruiter_score: numberOrNull,
    pdf_export_url: textOrNull,
    candidate: resultCandidate.nullable(),
    score: described('0 to 10, or to the `max_score` of the interview'),
    score_simulation: described('0 to 10'),
    score_text: textOrNull,
    score_sentiment: described('−1 to 1'),
    score_words_per_minute: numberOrNull,
    score_pronunciation: described('0 to 100'),
    score_answer: described('1 to 5'),
    status: z.enum(coachStatuses).nullable().meta({ description: 'Coach status; null before the start.' }),
    start: timestamp.nullable(),
    end: timestamp.nullable(),
    duration: z.int().nullable().meta({ description: 'Deciseconds' }),
    ai_interview_coverage_percentage: described('0 to 100'),
    ai_completion_reason: textOrNull,
    ai_analysis: textOrNull.meta({ description: 'For the candidate' }),
    ai_analysis_recruiter: textOrNull.meta({ description: 'For the recruiter' }),
    user_feedback_recruiter: textOrNull.meta({ description: "The recruiter's note" }),
    recruiter_risks: z.array(recruiterRisk).nullable(),
    ai_analysis_recruiter_why_hire: deprecatedList(
      'Copy of `ai_analysis_other.strengths_concerns.strengths`',
    ),
    ai_analysis_recruiter_why_not_hire: deprecatedList(
      'Copy of `ai_analysis_other.strengths_concerns.concerns`',
    ),
    ai_analysis_other: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'By analysis; further keys may be added. Of a result written before 2026-09-15 `hiring_reasons` is answered too.',
    }),
    recording_local_path: textOrNull,
    video_introduction_local_path: textOrNull,
    recording_is_video: z.boolean().nullable(),
    updated_at: timestamp.meta({ description: 'Time of the last change of the result.' }),
    revision: z.int().meta({ description: 'Rises with every change of the result, as in webhooks.' }),
    transcript: z.array(interaction).meta({ description: 'In the order it was spoken.' }),
    recording_url: signedUrl,
    video_introduction_url: signedUrl,
  })
  .meta({ id: 'InterviewResultDetails' });
export type JobInterviewDetails = z.output<typeof details>;

export const jobInterviewDetails = defineOperation({
  name: 'job-interview-details',
  method: 'GET',
  tag: 'Results',
  summary: 'Get a result with its transcript and assessment',
  description: `\`status\` is the coach status; whether the candidate has submitted is \`result_status\`. Every key is answered,
null when empty, but \`recording_url\` and \`video_introduction_url\`: only with \`get_signed_recordings\`. \`attempt\` reads an
earlier attempt as it stood when another one was requested, without it the latest; \`recruiter_shortlist\`, \`candidate\`,
\`updated_at\` and \`revision\` are those of today. A failed or abandoned attempt ends the result: another one can only be requested of
what was submitted and scored. The results of a deleted interview stay readable. Ids are told by \`merchant-result-list\` and by webhooks.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    interview_result_id: uuid,
    get_signed_recordings: queryBoolean
      .optional()
      .transform((asked) => asked ?? false)
      .meta({ type: 'boolean', enum: [true, false], default: false }),
    attempt: queryInteger(1, 1_000_000).optional(),
  }),
  example: { interview_result_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
  reply: details,
  statuses: [404],
});
