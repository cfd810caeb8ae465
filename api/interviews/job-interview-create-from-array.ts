import { z } from 'zod';
import { throwAll } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { optionalField, writers } from '../platform/operation/vocabulary';
import { withoutUndefined } from '../platform/operation/without-undefined';
import { checkChoices } from './choices';
import { commonBuildInput, createInterview, secondsPerQuestion } from './create-interview';
import {
  assignQuestionIds,
  findQuestionRecords,
  hasSameContent,
  validateKnowledgeBases,
} from './given-questions';
import {
  creationExample,
  creationFields,
  fieldSchemas,
  embedKeyCheck,
  knowledgeBaseCheck,
  ownAccessCheck,
} from './interview-fields';
import { createdInterview } from './job-interview-create';
import { personaTypeCheck } from './persona-fields';
import { checkQuestions, expectations, questionInput, questionList } from './question';

const durationSeconds = { min: 1_200, max: 7_200 };

export const jobInterviewCreateFromArray = defineOperation({
  name: 'job-interview-create-from-array',
  method: 'POST',
  tag: 'Interviews',
  summary: 'Create an interview definition from your own questions',
  description: `Creates an interview definition that asks the given questions in the given order. AI writes only what the call omits: the rubric of a
question, the rubric of the session (\`candidate_expectations_json\`), the long description and the seniority level. If nothing is omitted, no AI is
involved. The call waits and can be repeated like \`job-interview-create\`.

The session takes 120 seconds for each question, at least 1,200 and at most 7,200 seconds. The \`id\` of a question is a handle within the call: any text of up to 200
characters. If it is the id of an existing question of the account with the same content, the new interview shares that record; otherwise the
question becomes a new record with an id of its own. Rubrics of the call are kept as sent, with up to 20 items for each
of weak, moderate and strong; AI writes 3 to 5. AI writes no rubric for a multiple choice: its rubric names the right options, and
without one it is not scored.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z
    .object({
      ...creationFields,
      description: fieldSchemas.description.refine((text) => text.trim() !== '', {
        error: 'must not be blank',
        params: { code: 'too_short' },
      }),
      candidate_expectations_json: optionalField(expectations).meta({
        description: 'The rubric of the session. Left out: the AI writes it.',
      }),
      questions: questionList(questionInput).meta({
        description: 'The questions in the order they are asked, 1 to 100. All of them are asked.',
      }),
    })
    .refine(knowledgeBaseCheck.check, knowledgeBaseCheck)
    .refine(embedKeyCheck.check, embedKeyCheck)
    .refine(ownAccessCheck.check, ownAccessCheck)
    .refine(personaTypeCheck.check, personaTypeCheck),
  check: ({ questions }) => checkQuestions(questions, questionInput),
  example: {
    ...creationExample,
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
  replyExample: { interview_def_set_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1', embed_id: null },
  statuses: [],
  /** Creates an interview from the caller's questions (docs/interviews.md#creating-an-interview). */
  handle(call, deps) {
    const { input } = call;
    return createInterview(
      call,
      async (trx) => {
        await validateKnowledgeBases(trx, input.questions);
        const records = await findQuestionRecords(
          trx,
          input.questions.flatMap(({ id }) => id ?? []),
        );
        // A conditional question shares an existing record only if its parent does, too. A record that still needs a
        // rubric is not shared, because the model writes the rubric into a new record.
        const questions = assignQuestionIds(input.questions, (question, parentId) => {
          const record = question.id === undefined ? undefined : records.get(question.id);
          const scored = record?.candidate_expectations_json !== null || record.is_without_scoring;
          const isSame =
            record?.conditional_question_main_id === parentId && hasSameContent(question, record);
          return isSame && scored ? record.id : undefined;
        });
        const given = questions.map((question) => ({
          ...records.get(question.id),
          ...withoutUndefined(question),
        }));
        throwAll(
          given.flatMap((question, index) =>
            records.has(question.id) ? [] : checkChoices(question, `questions[${index}]`),
          ),
        );
        const build = {
          ...commonBuildInput(input),
          question_count: null,
          questions: given,
          shared_question_ids: questions.map(({ id }) => id).filter((id) => records.has(id)),
          candidate_expectations_json: input.candidate_expectations_json ?? null,
          include_rapport_question: false,
          include_closing_prompt: false,
        };
        const max_duration = Math.min(
          durationSeconds.max,
          Math.max(durationSeconds.min, input.questions.length * secondsPerQuestion),
        );
        return { build, columns: { max_duration } };
      },
      deps,
    );
  },
});
