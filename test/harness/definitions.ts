import { newInterview } from './platform';
import type { Platform, Reply } from './platform';

export const rubric = {
  weak: ['names no example', 'stays general', 'asks nothing back'],
  moderate: ['names one example', 'explains one step', 'mentions a result'],
  strong: ['compares two ways', 'gives a measured result', 'says what was learned'],
};

/** Returns a question that is complete, so that the model has nothing to write. */
export const given = (question: string, more: Record<string, unknown> = {}) => ({
  question,
  candidate_expectations_json: rubric,
  ...more,
});

export type ShownQuestion = { id: string; question: string } & Record<string, unknown>;
export type Definition = Record<string, unknown> & { questions: ShownQuestion[]; updated_at: string };
export type QuestionsDiff = {
  kept: string[];
  added: string[];
  removed: string[];
  replaced: { from: string; to: string }[];
  question_ids: string[];
  reactivated: boolean;
};

/** Calls about definitions that tests of several operations make. */
export function definitionCalls(platform: Platform) {
  const fromArray = (body: Record<string, unknown>, token?: string): Promise<Reply> => {
    const { interview_length: _length, ...base } = newInterview(platform.stack);
    return platform.call('job-interview-create-from-array', {
      body: {
        ...base,
        description: 'A talk about backends.',
        description_long: '## Purpose',
        seniority_level: 'senior',
        candidate_expectations_json: rubric,
        ...body,
      },
      ...(token ? { token } : {}),
    });
  };
  const read = async (id: string): Promise<Definition> => {
    const { body, status, text } = await platform.call('job-interview-get', { query: { position_id: id } });
    if (status !== 200) throw new Error(text);
    return body as Definition;
  };
  return {
    fromArray,
    read,
    /** Builds an interview with these questions, without the model. Returns its definition and id. */
    build: async (questions: Record<string, unknown>[], more: Record<string, unknown> = {}) => {
      const created = await fromArray({ questions, ...more });
      if (created.status !== 200) throw new Error(created.text);
      const id = String(created.body['interview_def_set_id']);
      return { id, definition: await read(id) };
    },
    update: (id: string, fields: Record<string, unknown>): Promise<Reply> =>
      platform.call('job-interview-update', { body: { position_id: id, ...fields } }),
    /** Returns the ids of all steps in order, including welcome and thank-you. */
    stepIds: async (id: string): Promise<string[]> =>
      (
        await platform.database.rows<{ question_id: string }>(
          'select question_id from interview_question where interview_id = $1 order by step_order',
          [id],
        )
      ).map((row) => row.question_id),
  };
}

export const diffOf = (reply: Reply) => reply.body['questions_diff'] as QuestionsDiff;
