import { randomUUID } from 'node:crypto';
import { openConsole } from '../../harness/identity/console';
import type { Platform } from '../../harness/platform/platform';
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
