import type { z } from 'zod';
import type { jobInterviewCreate } from './job-interview-create.contract';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';
import { commonBuildInput, createInterview } from './create-interview';

type Contract = typeof jobInterviewCreate;

const secondsPerQuestion = 120;

/** Creates an interview whose questions the model writes (docs/interviews.md#creating-an-interview). */
export const createInterviewWithAi: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = async (call, deps) => {
  const { input } = call;
  const cap = Math.max(1, Math.floor(input.max_duration / secondsPerQuestion));
  const build = {
    ...commonBuildInput(input),
    // The model picks at least five where the caller does not, unless the duration allows fewer.
    question_count:
      input.interview_length === undefined
        ? cap < 8
          ? Math.min(cap, 5)
          : null
        : Math.min(input.interview_length, cap),
    questions: null,
    shared_question_ids: [],
    candidate_expectations_json: null,
    include_rapport_question: input.include_rapport_question,
    include_closing_prompt: input.include_closing_prompt,
  };
  const { built, signingKey } = await createInterview(
    call,
    async () => ({ build, columns: { max_duration: input.max_duration } }),
    deps,
  );
  return {
    interview_def_set_id: built.interview_def_set_id,
    questions_generated: built.questions_generated ?? 0,
    max_duration: built.max_duration,
    embed_id: built.embed_id,
    ...(signingKey === undefined ? {} : { embed_signing_key: signingKey }),
  };
};
