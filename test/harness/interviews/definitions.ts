import { randomUUID } from 'node:crypto';
import type { TestDatabase } from '../platform/database';
import type { Operations } from '../platform/operations';
import { newInterview } from '../platform/platform';
import type { Reply } from '../platform/platform';

export const rubric = {
  weak: ['names no example', 'stays general', 'asks nothing back'],
  moderate: ['names one example', 'explains one step', 'mentions a result'],
  strong: ['compares two ways', 'gives a measured result', 'says what was learned'],
};

/** Returns a question with all texts, so that the model has nothing to write. */
export const given = (question: string, more: Record<string, unknown> = {}) => ({
  question,
  candidate_expectations_json: rubric,
  ...more,
});

export type ShownQuestion = { id: string; question: string } & Record<string, unknown>;
export type Definition = Record<string, unknown> & { questions: ShownQuestion[]; updated_at: string };
type QuestionsDiff = {
  kept: string[];
  added: string[];
  removed: string[];
  replaced: { from: string; to: string }[];
  question_ids: string[];
  reactivated: boolean;
};

/** Returns functions that create, read and change interviews. */
export function definitionCalls(platform: Omit<Operations, 'sealingKeys'>) {
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
  const create = async (body: Record<string, unknown>): Promise<string> => {
    const created = await fromArray(body);
    if (created.status !== 200) throw new Error(created.text);
    return String(created.body['interview_def_set_id']);
  };
  const built = new Map<string, Promise<string>>();
  return {
    fromArray,
    read,
    /**
     * Creates an interview with these questions, without the model, and returns its definition and id. If an equal
     * interview was created before, it is copied: a creation costs 270 ms of CPU, a copy 5 ms.
     */
    build: async (questions: Record<string, unknown>[], more: Record<string, unknown> = {}) => {
      const body = { questions, ...more };
      const key = JSON.stringify(body);
      const copied = async () => {
        if (!built.has(key)) built.set(key, create(body));
        return copyInterview(platform.database, (await built.get(key)) ?? '');
      };
      // Interviews can share the record of a question with an id. A copy would share it too, so an interview with
      // such a question is not copied but created with the API.
      const id = await (questions.some((question) => 'id' in question) ? create(body) : copied());
      return { id, definition: await read(id) };
    },
    update: (id: string, fields: Record<string, unknown>): Promise<Reply> =>
      platform.call('job-interview-update', { body: { ...fields, position_id: id } }),
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

/** Copies an interview and its questions. Every copied row gets a new id. */
async function copyInterview({ rows }: TestDatabase, id: string): Promise<string> {
  const found = await rows<{ name: string; rows: unknown[] }>(
    `select 'interview' as name, jsonb_agg(to_jsonb(i) - 'slug') as rows from interview i where id = $1
     union all
     select 'question', jsonb_agg(q) from question q
       where id in (select question_id from interview_question where interview_id = $1)
     union all
     select 'interview_question', jsonb_agg(l) from interview_question l where interview_id = $1`,
    [id],
  );
  const ids = found.flatMap((table) => table.rows.map((row) => (row as { id?: string }).id ?? id));
  let text = JSON.stringify(found);
  const copies = new Map([...new Set(ids)].map((old) => [old, randomUUID()]));
  for (const [old, copy] of copies) text = text.replaceAll(old, copy);
  for (const table of JSON.parse(text) as typeof found)
    await rows(
      `insert into ${table.name} select copy.* from jsonb_populate_recordset(null::${table.name}, $1) copy`,
      // A slug is unique.
      [JSON.stringify(table.rows.map((row) => ({ ...(row as object), slug: null })))],
    );
  return copies.get(id) ?? '';
}
