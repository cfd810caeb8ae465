import { randomUUID } from 'node:crypto';
import { signIn } from '../../harness/identity/accounts';
import { openConsole } from '../../harness/identity/console';
import { definitionCalls } from '../../harness/interviews/definitions';
import { cloneInterview } from '../../harness/people/people';
import { newInterview } from '../../harness/platform/platform';
import type { Platform, Reply } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
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

describe('the page Knowledge', () => {
  it('creates, changes and archives a knowledge base of 200,000 characters without scripts', async () => {
    const owner = await openConsole(platform, 'merchant_owner');
    const lines = `${'語'.repeat(39)}\n`.repeat(limit / 40).trim();
    // Browsers send each line break as two characters.
    const fields = { name: 'Handbook', text: lines.replaceAll('\n', '\r\n') };
    const form_id = randomUUID();
    const create = () => owner.post('/console/knowledge', { ...fields, form_id });
    const [first, second] = await Promise.all([create(), create()]);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    const created = await owner.follow(first);
    const id = /\/console\/knowledge\/([\w-]{36})$/.exec(created.url)?.[1] ?? '';
    expect((await read(id))['text']).toBe(lines);
    expect(created.html).toContain('語</textarea>');

    const changed = await owner.submit(`/console/knowledge/${id}`, {
      ...fields,
      name: 'Guide',
      is_for_candidates: 'on',
    });
    expect(changed.html).toContain('Changes saved.');
    expect(await read(id)).toMatchObject({ name: 'Guide', is_for_candidates: true, text: lines });
    expect((await owner.post(`/console/knowledge/${id}/status`, { status: 'bogus' })).status).toBe(422);
    expect((await read(id))['status']).toBe('active');
    await owner.submit(`/console/knowledge/${id}/status`, { status: 'archived' });
    const listed = await owner.get('/console/knowledge?status=archived');
    expect(listed.html).toContain(`/console/knowledge/${id}`);
    expect((await owner.get('/console/knowledge?status=active')).html).not.toContain(id);
    const activity = (await owner.get('/console/audit')).html
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/\s+/g, ' ');
    for (const verb of ['Created', 'Changed', 'Archived'])
      expect(activity).toContain(`${verb} knowledge base Guide`);
  });

  it('keeps what was entered when it is rejected, and shows hiring managers the text only', async () => {
    const owner = await openConsole(platform, 'merchant_owner');
    const rejected = await owner.post('/console/knowledge', {
      name: '',
      text: 'Kept <b>',
      form_id: randomUUID(),
    });
    expect([rejected.status, rejected.html]).toEqual([
      422,
      expect.stringContaining('Kept &lt;b></textarea>'),
    ]);
    const id = await make({ text: 'Only <i>read</i>' });
    const manager = await openConsole(platform, 'merchant_selection');
    const page = await manager.get(`/console/knowledge/${id}`);
    expect(page.html).toContain('Only &lt;i>read&lt;/i>');
    expect(page.html).not.toContain('<textarea');
    expect((await manager.post(`/console/knowledge/${id}`, { name: 'Mine', text: 'x' })).status).toBe(403);
  });
});
