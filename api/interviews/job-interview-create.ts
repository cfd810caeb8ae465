import { z } from 'zod';
import { playsPersona } from '../../db/interviews/persona';
import { defineOperation } from '../platform/operation/define-operation';
import { optionalField, uuid, fieldWithDefault, writers } from '../platform/operation/vocabulary';
import { boundedText } from '../platform/text/bounded-text';
import { commonBuildInput, createInterview, secondsPerQuestion } from './create-interview';
import {
  creationExample,
  creationFields,
  fieldSchemas,
  embedKeyCheck,
  knowledgeBaseCheck,
  ownAccessCheck,
} from './interview-fields';
import { personaTypeCheck } from './persona-fields';

const count = z.int().min(1).max(40);
const interviewLength = z.union(
  [
    count,
    boundedText(20)
      .regex(/^\s*\d{1,3}\s*$/)
      .transform(Number)
      .pipe(count),
  ],
  { error: 'must be a whole number from 1 to 40' },
);

export const createdInterview = z.object({
  interview_def_set_id: uuid.meta({
    description:
      'Id of the new interview. Other operations call it `position_id` (get, update, set-state) or `interview_id` (register, invite, results, webhooks).',
  }),
  questions_generated: z.int().meta({
    description:
      'How many questions were generated; the rapport question and the closing prompt are not counted.',
  }),
  max_duration: z.int().meta({ description: 'The maximum duration of a session in seconds.' }),
  embed_id: z.string().nullable().meta({
    description: 'Public id of the embed key; null unless `is_embedded` was true.',
  }),
  embed_signing_key: z.string().optional().meta({
    description:
      'The secret of the embed key. It is shown only in this reply. Present if `is_embedded` was true.',
  }),
});

export const jobInterviewCreate = defineOperation({
  name: 'job-interview-create',
  method: 'POST',
  tag: 'Interviews',
  summary: 'Create an interview definition with AI',
  description: `Creates an interview definition. AI writes what the call omits: the description, the questions, the rubric of each question and of the
session, and the seniority level, all in the language of the interview. The steps are: welcome, instructional video (if requested), rapport question
(if requested), questions, closing prompt (unless turned off), thank-you. For the types persona and persona_interview, AI also writes the person that it
plays (\`persona\`), the questions are what this person brings up, and there is neither a rapport question nor a closing prompt.

The reply's \`interview_def_set_id\` is the id of the interview. Send it as \`interview_id\` to every other operation; \`position_id\` is another name for
the same id. An interview that is created with \`status: deleted\` is stored but cannot be read: its id is not found.

The call waits until everything is written, at most 60 seconds. If the AI fails or is too slow, the call is a 503 and nothing is stored. If the
connection breaks, the interview is either complete or does not exist. Send an \`Idempotency-Key\`, and the repeated call returns the first
reply.

There is at most one question for every 120 seconds of \`max_duration\`; \`interview_length\` is capped by that. The rapport question and the
closing prompt are added on top.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z
    .object({
      ...creationFields,
      interview_length: optionalField(interviewLength).meta({
        description:
          'Number of questions, 1 to 40, as a number or a numeric string. Left out: the AI chooses 5 to 8. It belongs to the creation only: `job-interview-update` changes `questions` instead.',
      }),
      max_duration: fieldWithDefault(fieldSchemas.max_duration, 1_200),
      description: optionalField(fieldSchemas.description).meta({
        description: 'Short description for candidates, plain text. Left out or blank: the AI writes it.',
      }),
      include_rapport_question: fieldWithDefault(z.boolean(), false).meta({
        description:
          'True adds a first question that puts the candidate at ease; it is not scored. Not for persona and persona_interview.',
      }),
      include_closing_prompt: fieldWithDefault(z.boolean(), true).meta({
        description:
          'True adds a last step in which the candidate can ask questions. Not for persona and persona_interview, whose person stays in the role.',
      }),
    })
    .refine(knowledgeBaseCheck.check, knowledgeBaseCheck)
    .refine(embedKeyCheck.check, embedKeyCheck)
    .refine(ownAccessCheck.check, ownAccessCheck)
    .refine(personaTypeCheck.check, personaTypeCheck),
  example: {
    ...creationExample,
    interview_length: 6,
    interview_department: 'Engineering',
    candidate_expectations: 'Designs services that stay up, and explains trade-offs.',
  },
  reply: createdInterview,
  replyExample: {
    interview_def_set_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1',
    questions_generated: 6,
    max_duration: 1200,
    embed_id: null,
  },
  statuses: [],
  /** Creates an interview whose questions are written by the model (docs/interviews.md#creating-an-interview). */
  handle(call, deps) {
    const { input } = call;
    const cap = Math.max(1, Math.floor(input.max_duration / secondsPerQuestion));
    const build = {
      ...commonBuildInput(input),
      // If the caller sends no count, the model chooses one. If the duration allows fewer than eight questions, the
      // count is five or as many as the duration allows.
      question_count:
        input.interview_length === undefined
          ? cap < 8
            ? Math.min(cap, 5)
            : null
          : Math.min(input.interview_length, cap),
      questions: null,
      shared_question_ids: [],
      candidate_expectations_json: null,
      // A person whom the AI plays stays in the role, so these two questions of the interviewer are left out.
      include_rapport_question: input.include_rapport_question && !playsPersona(input.type),
      include_closing_prompt: input.include_closing_prompt && !playsPersona(input.type),
    };
    return createInterview(
      call,
      async () => ({ build, columns: { max_duration: input.max_duration } }),
      deps,
    );
  },
});
