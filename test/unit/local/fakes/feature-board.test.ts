import { z } from 'zod';
import { startFakes } from '../../../../local/fakes/server';
import type { Fakes } from '../../../../local/fakes/server';
import { connect } from './fakes-client';

const postList = z.array(
  z.looseObject({ author_email: z.string(), title: z.string(), details: z.string(), at: z.iso.datetime() }),
);
const reply = z.looseObject({ id: z.string().optional(), error: z.string().optional() });

let fakes: Fakes;
let client: ReturnType<typeof connect>;
beforeAll(async () => {
  fakes = await startFakes({ port: 0 });
  client = connect(fakes.url);
});
afterAll(() => fakes.close());
beforeEach(async () => {
  await client.call('DELETE', '/faults');
  await client.call('DELETE', '/records');
});

const send = (path: string, body: unknown) => client.call('POST', `/board/api/v1${path}`, body);
async function ask(path: string, body: Record<string, unknown>) {
  const response = await send(path, { apiKey: 'key', ...body });
  return { status: response.status, ...reply.parse(await response.json()) };
}
const author = async (email: string, name = 'Ann Lee') =>
  (await ask('/users/find_or_create', { email, name })).id ?? '';
const create = (authorID: string, title: string) =>
  ask('/posts/create', { authorID, boardID: 'board', title, details: `About ${title}` });
const posts = () => client.readJson(postList, '/posts');
const fail = async (fault: object) =>
  expect((await client.call('POST', '/faults', { provider: 'board', ...fault })).status).toBe(201);

describe('the feature board', () => {
  it('finds a person by the address, whatever its case, and keeps the latest name', async () => {
    const first = await author('ann@example.com');
    expect(first).toMatch(/^[0-9a-f]{24}$/);
    expect(await author('Ann@Example.com', 'Ann Li')).toBe(first);
    expect(await author('bob@example.com')).not.toBe(first);
    await create(first, 'Dark mode');
    expect(await posts()).toMatchObject([{ author_name: 'Ann Li' }]);
  });

  it('lists by board, author and words of the title, newest first, in pages', async () => {
    const [ann, bob] = [await author('ann@example.com'), await author('bob@example.com')];
    for (const title of ['Dark mode', 'Light mode', 'Sounds']) await create(ann, title);
    await create(bob, 'Dark mode');
    const listed = z.object({
      hasMore: z.boolean(),
      posts: z.array(z.object({ title: z.string(), author: z.object({ id: z.string() }) })),
    });
    const list = async (query: object) => {
      const { hasMore, posts: found } = listed.parse(
        await (await send('/posts/list', { apiKey: 'key', boardID: 'board', ...query })).json(),
      );
      return { hasMore, titles: found.map(({ title }) => title), by: found.map((post) => post.author.id) };
    };
    expect(await list({ authorID: ann })).toEqual({
      hasMore: false,
      titles: ['Sounds', 'Light mode', 'Dark mode'],
      by: [ann, ann, ann],
    });
    expect(await list({ search: 'MODE', sort: 'oldest', limit: 2 })).toMatchObject({
      hasMore: true,
      titles: ['Dark mode', 'Light mode'],
    });
    expect(await list({ search: 'MODE', sort: 'oldest', limit: 2, skip: 2 })).toMatchObject({
      hasMore: false,
      titles: ['Dark mode'],
    });
    expect((await list({ boardID: 'another' })).titles).toEqual([]);
  });

  it('rejects what Canny would reject: no key, no JSON, no author, another path or method', async () => {
    const refusals = [
      await send('/posts/list', {}),
      await send('/posts/list', 'text'),
      await send('/posts/create', { apiKey: 'key', authorID: 'no', boardID: 'b', title: 't', details: '' }),
      await send('/users/find_or_create', { apiKey: 'key', email: 'no address', name: 'Ann' }),
      await send('/posts/delete', { apiKey: 'key' }),
      await client.call('GET', '/board/api/v1/posts/list'),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([400, 400, 400, 400, 404, 404]);
    expect(await refusals[2]?.json()).toEqual({ error: 'invalid authorID' });
    expect(await posts()).toEqual([]);
  });
});

describe('faults of the feature board', () => {
  it('create nothing for a status in Canny’s form, broken JSON and a closed connection', async () => {
    const id = await author('ann@example.com');
    await fail({ status: 429, headers: { 'retry-after': '2' } });
    const limited = await send('/posts/create', {});
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '2']);
    expect(Object.keys(reply.parse(await limited.json()))).toEqual(['error']);
    await fail({ malformed: true });
    const broken = await (await send('/posts/create', {})).text();
    expect(() => reply.parse(JSON.parse(broken))).toThrow(SyntaxError);
    await fail({ reset: true });
    await expect(create(id, 'Dark mode')).rejects.toThrow('fetch failed');
    expect(await posts()).toEqual([]);
  });

  it('create the post and lose the response, and do not affect requests that create nothing', async () => {
    for (const fault of [{ status: 503 }, { malformed: true }, { reset: true }]) {
      await client.call('DELETE', '/records');
      await fail({ accept: true, ...fault });
      const id = await author('ann@example.com');
      expect((await send('/posts/list', { apiKey: 'key' })).status).toBe(200);
      await create(id, 'Dark mode').catch(() => undefined);
      expect(await posts()).toHaveLength(1);
      expect((await create(id, 'Dark mode')).status).toBe(200);
    }
  });
});
