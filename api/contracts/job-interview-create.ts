import { z } from 'zod';
import { creationFields, field, needsKnowledgeBase } from './interview-fields';
import { defineOperation } from './operation';
import { optional, uuid, withDefault, writers } from './vocabulary';

const count = z.int().min(1).max(40);
const interviewLength = z.union(
  [
    count,
    z
      .string()
      .regex(/^\s*\d{1,3}\s*$/)
      .transform(Number)
      .pipe(count),
  ],
  { error: 'must be a whole number from 1 to 40' },
);

export const createdInterview = z.object({
  interview_def_set_id: uuid,
  questions_generated: z.int(),
  max_duration: z.int(),
  embed_id: z.string().nullable(),
  embed_signing_key: z.string().optional(),
});

export const jobInterviewCreate = defineOperation({
  name: 'job-interview-create',
  method: 'POST',
  tag: 'Interviews',
  summary: 'Create an interview definition with AI',
  description: `Generates description, questions, expectations per question, the session's rubric and the seniority level
in the interview's language, and provisions the steps: welcome, instructional video (when asked for), rapport
question (when asked for), questions, closing prompt (unless switched off), thank-you.

The call waits for the end, at most 60 seconds. When the model fails or is too slow it answers 503 and nothing is
stored. A caller that hangs up finds the interview complete or not at all; with an \`Idempotency-Key\` the same call
can be made again and answers the first reply.

\`questions_generated\` is \`interview_length\` after the cap of one question for every 120 seconds of \`max_duration\`;
rapport question and closing prompt come on top. \`embed_signing_key\` is a secret and shown in this reply only.
\`candidate_notification_channel\` cannot be set here: there is no SMS or WhatsApp provider in this release.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z
    .object({
      ...creationFields,
      interview_length: optional(interviewLength).meta({
        description:
          'Number of questions, 1 to 40, a number or a numeric text. Omitted: the AI picks 5 to 8.',
      }),
      max_duration: withDefault(field.max_duration, 1_200).meta({ description: 'Seconds.' }),
      description: optional(field.description).meta({ description: 'Kept as sent; blank: written by AI.' }),
      include_rapport_question: withDefault(z.boolean(), false),
      include_closing_prompt: withDefault(z.boolean(), true),
    })
    .refine(needsKnowledgeBase.check, needsKnowledgeBase),
  example: {
    name: 'Backend engineer',
    location: 'Amsterdam',
    interview_template_id: '0198a000-0000-7000-8000-000000000004',
    platform_language_code: 'en',
    status: 'active',
    type: 'interview',
    visibility: 'merchant_public',
    interview_length: 6,
    interview_department: 'Engineering',
    candidate_expectations: 'Designs services that stay up, and explains trade-offs.',
  },
  reply: createdInterview,
  statuses: [409],
});
export type JobInterviewCreate = z.output<typeof jobInterviewCreate.input>;
