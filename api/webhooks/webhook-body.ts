import { z } from 'zod';
import { resultEvents } from '../../db/webhooks/vocabulary';
import type { webhookEvents } from '../../db/webhooks/vocabulary';
import { maxTextLength } from '../../db/webhooks/webhook-payload';
import { timestamp } from '../platform/operation/vocabulary';
import { coachStatus, processingStatus, resultField, resultStatus } from '../results/public';

export type WebhookEvent = (typeof webhookEvents)[number];

const text = (description: string) => z.string().nullable().meta({ description });

const longText = (description: string) =>
  text(`${description} A text of more than ${maxTextLength.toLocaleString('en-US')} characters is cut.`);

const deprecatedCopy = (key: string) =>
  `Deprecated. Read \`ai_analysis_other.strengths_concerns.${key}\` of \`job-interview-details\` instead.`;

/**
 * The body of every event about a result, which contains the result at the time of the attempt
 * (docs/guide/webhooks.md#what-a-body-says). `db/webhooks/webhook-payload.ts` renders these keys in this order, and
 * `/v1/openapi-webhooks` describes them.
 */
export const webhookBody = z
  .object({
    type: z.enum([...resultEvents, 'test']).meta({
      description: 'The event, as in the header `x-platform-event`.',
    }),
    timestamp: timestamp.meta({ description: 'Time of this attempt.' }),
    id: z.string().meta({ description: 'Id of the interview result. Store bodies by this id.' }),
    interview_id: z.string().meta({ description: 'Id of the interview definition.' }),
    question_set_id: z.string().meta({ description: 'The same value as `interview_id`.' }),
    status: resultStatus,
    interview_status: coachStatus.nullable(),
    processing_status: processingStatus.nullable(),
    attempt: z.int().min(1).meta({
      description:
        'Attempt of the candidate at the interview, from 1. Reopening the result increases it and resets the result to draft.',
    }),
    revision: z.int().min(1).meta({
      description:
        'Increases with every change of the result. Store a body only if its `revision` is higher than the one you have stored for this `id`.',
    }),
    updated_at: timestamp.meta({
      description: 'Time of the last change of the result. Order bodies by `revision`, not by this time.',
    }),
    profile_interview_id: text(
      'Id of the enrolment: this candidate at this interview or position. Null without a candidate.',
    ),
    profile_id: text('Id of the candidate. Null without a candidate.'),
    candidate_name: text('Name of the candidate.'),
    candidate_email: text('Email address of the candidate.'),
    candidate_phone_number: text('Phone number of the candidate, as it was sent.'),
    candidate_external_id: text('The reference that the candidate was registered with.'),
    score: resultField.score,
    ai_analysis_recruiter_score: resultField.ai_analysis_recruiter_score,
    ai_analysis: longText(
      'Assessment for the candidate: what went well, each with a quote, and what to add. One sentence per line.',
    ),
    ai_analysis_recruiter: longText(
      'Assessment for the recruiter: criteria that were shown, each with a quote, and criteria that were not. One sentence per line.',
    ),
    ai_analysis_recruiter_why_hire: z
      .array(z.string().meta({ description: 'A sentence.' }))
      .nullable()
      .meta({ deprecated: true, description: deprecatedCopy('strengths') }),
    ai_analysis_recruiter_why_not_hire: z
      .array(z.string().meta({ description: 'A sentence.' }))
      .nullable()
      .meta({ deprecated: true, description: deprecatedCopy('concerns') }),
    recruiter_go_next_round: resultField.recruiter_go_next_round,
    pdf_export_url: text(
      'Address of the PDF report. Null unless PDF generation is enabled for the interview.',
    ),
    reason: z.string().meta({
      description: 'The watched fields that changed, separated by `, `, in the documented order.',
    }),
    changed: z
      .array(z.string().meta({ description: 'Name of a field.' }))
      .meta({ description: 'The same fields as a list.' }),
    is_test: z
      .boolean()
      .meta({ description: 'True if the candidate used a test link, or if this is a sample.' }),
    is_replay: z.boolean().meta({
      description:
        'True if this attempt was requested (`webhook-delivery-retry`, `webhook-delivery-replay` or the console), and for every later attempt of the series that it started. Automatic retries of the first series are not replays.',
    }),
  })
  .meta({
    id: 'WebhookPayload',
    description: 'A result at the time of the attempt to deliver it, and why it is sent.',
  });
export type WebhookPayload = z.output<typeof webhookBody>;

/** The body of `sync.changed`, which `db/webhooks/webhook-payload.ts` renders too. */
export const syncChangedBody = z
  .object({
    type: z.literal('sync.changed').meta({ description: 'The event, as in the header `x-platform-event`.' }),
    timestamp: timestamp.meta({ description: 'Time of this attempt.' }),
    is_test: z.boolean().meta({ description: 'True if this is a sample.' }),
    is_replay: z.boolean().meta({ description: 'True if this attempt was requested.' }),
  })
  .meta({ id: 'SyncChangedPayload' });
export type SyncChangedPayload = z.output<typeof syncChangedBody>;
