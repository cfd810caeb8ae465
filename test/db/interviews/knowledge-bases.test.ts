import { signIn } from '../../harness/identity/accounts';
import { definitionCalls } from '../../harness/interviews/definitions';
import { cloneInterview } from '../../harness/people/people';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import { newInterview } from '../../harness/platform/platform';
import type { Reply } from '../../harness/platform/platform';

let platform: Operations;
beforeAll(async () => {
  platform = await openOperations();
});

const limit = 200_000;
const call = (operation: string, body: Record<string, unknown>) => platform.call(operation, { body });
const make = async (fields: Record<string, unknown> = {}): Promise<string> => {
  const reply = await call('knowledge-base-create', {
    name: 'Refunds',
    text: 'Paid within 14 days.',
    ...fields,
  });
  expect([reply.status, reply.text]).toEqual([200, expect.anything()]);
  return String(reply.body['id']);
};
const read = async (knowledge_base_id: string) =>
  (await platform.call('knowledge-base-get', { query: { knowledge_base_id } })).body;
const archive = (knowledge_base_id: string) =>
  call('knowledge-base-update', { knowledge_base_id, status: 'archived' });
const told = ({ status, body }: Reply) => [status, body.name];

describe('knowledge bases', () => {
  it('are read as they were written, in every environment, and listed without their text', async () => {
    const id = await make({ name: '  Returns\u200b ', text: ' # Rules\n\nAsk first. ' });
    const shown = {
      id,
      name: 'Returns',
      is_for_candidates: false,
      status: 'active',
      interview_count: 0,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    };
    expect(await read(id)).toEqual({ ...shown, text: '# Rules\n\nAsk first.', interviews: [] });
    const { access_token: token } = await signIn(platform, 'merchant', 'uat');
    const query = { filter_text: 'RETURNS', status: 'active' };
    const { body } = await platform.call('knowledge-base-list', { query, token });
    expect(body['data']).toEqual([{ ...shown, character_count: 19 }]);
  });

  it('take 200,000 characters of any script, and no more', async () => {
    const id = await make({ text: '語'.repeat(limit) });
    expect(String((await read(id))['text'])).toHaveLength(limit);
    const longer = { name: 'Long', text: 'a'.repeat(limit + 1) };
    expect(told(await call('knowledge-base-create', longer))).toEqual([422, 'text']);
    expect(told(await call('knowledge-base-create', { name: 'Blank', text: '\u200b \u3164' }))).toEqual([
      422,
      'text',
    ]);
  });

  it('change only the fields that differ, and then their updated_at', async () => {
    const id = await make();
    const before = await read(id);
    const same = { knowledge_base_id: id, name: 'Refunds', text: 'Paid within 14 days.', status: 'active' };
    expect((await call('knowledge-base-update', same)).body['updated_fields']).toEqual([]);
    expect(await read(id)).toEqual(before);
    const other = { ...same, text: 'Paid within 30 days.', is_for_candidates: true };
    expect((await call('knowledge-base-update', other)).body['updated_fields']).toEqual([
      'text',
      'is_for_candidates',
    ]);
    const after = await read(id);
    expect(after).toMatchObject({ text: 'Paid within 30 days.', is_for_candidates: true });
    expect(Date.parse(String(after['updated_at']))).toBeGreaterThan(Date.parse(String(before['updated_at'])));
  });

  it('name the interviews that use them, themselves or in a question, without deleted ones', async () => {
    const id = await make();
    const calls = definitionCalls(platform);
    const [own, ofQuestion, deleted] = [
      await cloneInterview(platform.database, { name: 'B' }),
      await cloneInterview(platform.database, { name: 'a' }),
      await cloneInterview(platform.database, { name: 'c' }),
    ];
    await calls.update(own, { knowledge_base_store_id: id });
    await calls.update(deleted, { knowledge_base_store_id: id });
    for (const interview of [own, ofQuestion]) {
      const questions = [{ question: 'When are refunds paid?', knowledge_base_id: id }];
      expect((await calls.update(interview, { status: 'draft', questions })).status).toBe(200);
    }
    await call('job-interview-set-state', { position_id: deleted, status: 'deleted' });
    expect(await read(id)).toMatchObject({
      interview_count: 2,
      interviews: [
        { interview_id: ofQuestion, name: 'a', status: 'draft' },
        { interview_id: own, name: 'B', status: 'draft' },
      ],
    });
    const { body } = await platform.call('knowledge-base-list', { query: { limit: '1000' } });
    expect(body['data']).toContainEqual(expect.objectContaining({ id, interview_count: 2 }));
  });

  it('stay with the interviews that use them when they are archived, and cannot be named by others', async () => {
    const id = await make();
    const calls = definitionCalls(platform);
    const interview = await cloneInterview(platform.database);
    const other = await cloneInterview(platform.database);
    const questions = [{ question: 'When are refunds paid?', knowledge_base_id: id }];
    const used = { status: 'draft', knowledge_base_store_id: id, questions };
    expect((await calls.update(interview, used)).status).toBe(200);
    expect((await archive(id)).body['updated_fields']).toEqual(['status']);

    const { questions: shown, knowledge_base_store_id } = await calls.read(interview);
    const again = await calls.update(interview, { questions: shown, knowledge_base_store_id });
    expect([again.status, again.body['updated_fields']]).toEqual([200, []]);
    expect(told(await calls.update(other, { knowledge_base_store_id: id }))).toEqual([
      422,
      'knowledge_base_store_id',
    ]);
    expect(told(await calls.update(other, { questions }))).toEqual([422, 'questions[0].knowledge_base_id']);
    const body = { ...newInterview(platform.stack), knowledge_base_store_id: id };
    expect(told(await call('job-interview-create', body))).toEqual([422, 'knowledge_base_store_id']);
  });
});
