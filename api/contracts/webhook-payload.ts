import { z } from 'zod';
import { coachStatuses, processingStatuses, resultStatuses } from './result-vocabulary';
import { timestamp } from './vocabulary';

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
    type: z.enum([...webhookEvents, 'test']).meta({
      description: 'The event, as in the header `x-platform-event`.',
    }),
    timestamp: timestamp.meta({ description: 'Time of this attempt.' }),
    id: z.string().meta({ description: 'Interview result id; receivers upsert by it.' }),
    interview_id: z.string().meta({ description: 'Interview definition id.' }),
    question_set_id: z.string().meta({ description: 'The same value as `interview_id`.' }),
    status: z.enum(resultStatuses),
    interview_status: z.enum(coachStatuses).nullable(),
    processing_status: z.enum(processingStatuses).nullable(),
    attempt: z.int().min(1).meta({
      description:
        'Attempt of the candidate at the interview, from 1. A request for another attempt raises it and resets the result to draft.',
    }),
    revision: z.int().min(1).meta({
      description:
        'Rises with every change of the result. Store a body only if its `revision` is higher than the one you have stored for this `id`.',
    }),
    updated_at: timestamp.meta({
      description: 'Time of the last change of the result. Order bodies by `revision`, not by this.',
    }),
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
    changed: z.array(z.string()).meta({ description: 'The same fields as a list.' }),
    is_test: z.boolean().meta({ description: 'The candidate used a test link, or this is a sample.' }),
    is_replay: z.boolean().meta({
      description:
        'True if somebody asked for this attempt (`webhook-delivery-retry`, `webhook-delivery-replay` or the console), and for every attempt that follows in the series it started. Automatic retries of the first series are not replays.',
    }),
  })
  .meta({ id: 'WebhookPayload' });
export type WebhookPayload = z.output<typeof webhookPayload>;
