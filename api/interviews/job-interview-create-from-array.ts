import type { z } from 'zod';
import type { jobInterviewCreateFromArray } from './job-interview-create-from-array.contract';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';
import { assignIds, findRecords, hasSameContent, judgeKnowledgeBases } from './given-questions';
import { withoutUndefined } from '../platform/operation/without-undefined';
import { commonBuildInput, createInterview } from './create-interview';

type Contract = typeof jobInterviewCreateFromArray;

const secondsPerQuestion = 120;
const leastDurationSeconds = 1_200;

/** Creates an interview from the caller's questions (docs/interviews.md#creating-an-interview). */
export const createInterviewFromArray: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = async (call, deps) => {
  const { input } = call;
  const { built, signingKey } = await createInterview(
    call,
    async (trx) => {
      await judgeKnowledgeBases(trx, input.questions);
      const records = await findRecords(
        trx,
        input.questions.flatMap(({ id }) => id ?? []),
      );
      // A conditional question is shared with its parent's record only; a record without a rubric is not shared,
      // since the model writes one for the new record.
      const questions = assignIds(input.questions, (question, parentId) => {
        const record = question.id === undefined ? undefined : records.get(question.id);
        const scored = record?.candidate_expectations_json !== null || record.is_without_scoring;
        const isSame = record?.conditional_question_main_id === parentId && hasSameContent(question, record);
        return isSame && scored ? record.id : undefined;
      });
      const build = {
        ...commonBuildInput(input),
        question_count: null,
        questions: questions.map((question) => ({
          ...records.get(question.id),
          ...withoutUndefined(question),
        })),
        shared_question_ids: questions.map(({ id }) => id).filter((id) => records.has(id)),
        candidate_expectations_json: input.candidate_expectations_json ?? null,
        include_rapport_question: false,
        include_closing_prompt: false,
      };
      const max_duration = Math.max(leastDurationSeconds, input.questions.length * secondsPerQuestion);
      return { build, columns: { max_duration } };
    },
    deps,
  );
  return {
    interview_def_set_id: built.interview_def_set_id,
    embed_id: built.embed_id,
    ...(signingKey === undefined ? {} : { embed_signing_key: signingKey }),
  };
};
