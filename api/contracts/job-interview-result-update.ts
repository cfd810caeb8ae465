import { z } from 'zod';
import { defineOperation } from './operation';
import { riskSeverities } from './result-vocabulary';
import { requiredText, text, uuid, writers } from './vocabulary';

const risk = z.object({
  key: requiredText(100),
  severity: z.enum(riskSeverities),
  confidence: z.number().min(0).max(1).optional(),
  note: text(2_000).optional(),
});

const updatable = [
  'recruiter_go_next_round',
  'user_feedback_recruiter',
  'recruiter_risks',
  'recruiter_shortlist',
] as const;

export const jobInterviewResultUpdate = defineOperation({
  name: 'job-interview-result-update',
  method: 'POST',
  tag: 'Results',
  summary: "Set the recruiter's decision, note, risks or shortlist mark",
  description: `At least one of the four. \`recruiter_go_next_round\` true selects, false rejects, null clears the decision; it can
be set once the candidate has submitted, and is announced to webhooks. \`recruiter_risks\` replaces the whole list.
\`updated_fields\` names what is another value than before.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z
    .object({
      interview_result_id: uuid,
      recruiter_go_next_round: z.boolean().nullable().optional(),
      user_feedback_recruiter: text(10_000).nullable().optional(),
      recruiter_risks: z.array(risk).max(100).nullable().optional(),
      recruiter_shortlist: z.boolean().optional(),
    })
    .refine((input) => updatable.some((field) => input[field] !== undefined), {
      path: ['recruiter_go_next_round'],
      error: 'or another field to update is required',
    }),
  example: { interview_result_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1', recruiter_go_next_round: true },
  reply: z.object({ interview_result_id: z.string(), updated_fields: z.array(z.enum(updatable)) }),
  statuses: [404, 409],
});
