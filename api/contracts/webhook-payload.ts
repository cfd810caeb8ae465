import { z } from 'zod';
import { coachStatuses, processingStatuses, resultStatuses } from './result-vocabulary';

/** The events that an endpoint can subscribe to (spec: Event kinds). */
export const webhookEvents = ['interview_result', 'interview_collected', 'interview_failed'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

const text = z.string().nullable();

/**
 * What every event carries (spec: Payload): the result as it stands at the time of the attempt. The sender renders these
 * keys in this order (db/webhook-payload.ts), `/v1/openapi-webhooks` publishes them.
 */
export const webhookPayload = z
  .object({
    id: z.string().meta({ description: 'Interview result id; receivers upsert by it.' }),
    interview_id: z.string().meta({ description: 'Interview definition id.' }),
    question_set_id: z.string().meta({ description: 'The same value as `interview_id`.' }),
    status: z.enum(resultStatuses),
    interview_status: z.enum(coachStatuses).nullable(),
    processing_status: z.enum(processingStatuses).nullable(),
    profile_interview_id: text,
    profile_id: text,
    candidate_name: text,
    candidate_email: text,
    candidate_phone_number: text,
    candidate_external_id: text,
    score: z.number().nullable(),
    ai_analysis_recruiter_score: z.number().nullable(),
    ai_analysis: text.meta({ description: 'For the candidate.' }),
    ai_analysis_recruiter: text.meta({ description: 'For the recruiter.' }),
    ai_analysis_recruiter_why_hire: z
      .array(z.string())
      .nullable()
      .meta({ deprecated: true, description: 'Deprecated copy of the strengths.' }),
    ai_analysis_recruiter_why_not_hire: z
      .array(z.string())
      .nullable()
      .meta({ deprecated: true, description: 'Deprecated copy of the concerns.' }),
    recruiter_go_next_round: z.boolean().nullable(),
    pdf_export_url: text.meta({ description: 'Only when PDF generation is enabled for the interview.' }),
    reason: z.string().meta({
      description: 'The watched fields that changed, joined by `, `, in the order of the specification.',
    }),
    is_test: z.boolean().meta({ description: 'The candidate came by a test link.' }),
  })
  .meta({ id: 'WebhookPayload' });
export type WebhookPayload = z.output<typeof webhookPayload>;

/** What the test event carries: the same shape, of a result that does not exist. */
export const sampleWebhookPayload: WebhookPayload = {
  id: '00000000-0000-4000-8000-000000000001',
  interview_id: '00000000-0000-4000-8000-000000000002',
  question_set_id: '00000000-0000-4000-8000-000000000002',
  status: 'active',
  interview_status: 'completed',
  processing_status: 'completed',
  profile_interview_id: '00000000-0000-4000-8000-000000000003',
  profile_id: '00000000-0000-4000-8000-000000000004',
  candidate_name: 'Test Candidate',
  candidate_email: 'candidate@example.com',
  candidate_phone_number: null,
  candidate_external_id: 'test-1',
  score: 7.5,
  ai_analysis_recruiter_score: 7.5,
  ai_analysis: 'A sample, sent by the test of a webhook endpoint.',
  ai_analysis_recruiter: 'A sample, sent by the test of a webhook endpoint.',
  ai_analysis_recruiter_why_hire: ['Explains decisions with figures'],
  ai_analysis_recruiter_why_not_hire: [],
  recruiter_go_next_round: null,
  pdf_export_url: null,
  reason: 'test',
  is_test: true,
};
