import { z } from 'zod';
import { creationFields, field, needsKnowledgeBase } from './interview-fields';
import { createdInterview } from './job-interview-create';
import { defineOperation } from './operation';
import { expectations, questionInput, questionList } from './question';
import { optional, writers } from './vocabulary';

export const jobInterviewCreateFromArray = defineOperation({
  name: 'job-interview-create-from-array',
  method: 'POST',
  tag: 'Interviews',
  summary: 'Create an interview definition from your own questions',
  description: `As \`job-interview-create\`, with the questions of the call in the order of the call. The AI writes only what is
left out: expectations of a question, the session's rubric (\`candidate_expectations_json\`), the long description,
the seniority level. When nothing is left out no model is asked.

\`max_duration\` is 120 seconds a question, at least 1200. A question with the \`id\` of an existing question of the
account and the same content shares that record; with other content it becomes a new record. Question records are
the account's: one of another environment may be shared too. Rubrics of the call are kept as sent, up to 20 items a
bracket; what the AI writes has 3 to 5.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z
    .object({
      ...creationFields,
      description: field.description.refine((text) => text.trim() !== '', 'must not be blank'),
      candidate_expectations_json: optional(expectations),
      questions: questionList(questionInput),
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
    description: 'A first conversation about building services.',
    questions: [
      { question: 'Which service of yours are you proudest of, and why?', external_id: 'proudest' },
      {
        question: 'How did you notice that it worked?',
        is_conditional: true,
        conditional_question_main_id: 'proudest',
      },
    ],
  },
  reply: createdInterview.omit({ questions_generated: true, max_duration: true }),
  statuses: [409],
});
