import { z } from 'zod';
import { startFakes } from '../../../local/fakes/server';
import type { Fakes } from '../../../local/fakes/server';
import { connect } from './fakes-client';

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
  await client.call('PUT', '/support/settings', { forget_keys_after_ms: 7_200_000 });
});

const tickets = '/support/api/v2/tickets.json';
const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;
const authorization = basic('agent@acme.test/token:key');
const ticket = {
  subject: 'It is broken',
  comment: { body: 'It is broken\n\nSince <b>noon</b>.' },
  requester: { name: 'Ann', email: 'ann@example.com' },
  external_id: 'report-1',
  tags: ['technical_issue'],
};
const create = (changes: object = {}, headers: Record<string, string> = {}) =>
  client.call('POST', tickets, { ticket: { ...ticket, ...changes } }, { authorization, ...headers });
const found = z.object({
  tickets: z.array(z.object({ id: z.int(), external_id: z.string().nullable() })),
  count: z.int(),
});
const find = async (externalId: string) =>
  found.parse(
    await (
      await client.call('GET', `${tickets}?external_id=${externalId}`, undefined, { authorization })
    ).json(),
  );
const idOf = async (answer: Response) =>
  z.object({ ticket: z.object({ id: z.int() }) }).parse(await answer.json()).ticket.id;
const conversations = () =>
  client.readJson(
    z.array(
      z.strictObject({
        number: z.int(),
        external_id: z.string().nullable(),
        requester_email: z.string(),
        subject: z.string(),
        body: z.string(),
        idempotency_key: z.string().nullable(),
        at: z.iso.datetime(),
        requester_name: z.string().nullable(),
        tags: z.array(z.string()),
      }),
    ),
    '/conversations',
  );

describe('creating a ticket', () => {
  it('returns a 201 with its number, and adds it to the list', async () => {
    const answer = await create({}, { 'idempotency-key': 'k' });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('x-idempotency-lookup')).toBe('miss');
    const id = await idOf(answer);
    expect(id).toBeGreaterThan(1_000);
    expect(await conversations()).toEqual([
      {
        number: id,
        external_id: 'report-1',
        requester_email: 'ann@example.com',
        requester_name: 'Ann',
        subject: 'It is broken',
        body: 'It is broken\n\nSince <b>noon</b>.',
        idempotency_key: 'k',
        at: expect.any(String),
        tags: ['technical_issue'],
      },
    ]);
  });

  it.each([
    ['no credentials', { authorization: '' }],
    ['a password in place of a token', { authorization: basic('agent@acme.test:key') }],
    ['no agent', { authorization: basic('/token:key') }],
  ])('returns a 401 for %s, as does a search', async (_what, headers) => {
    expect((await create({}, headers)).status).toBe(401);
    expect((await client.call('GET', tickets, undefined, headers)).status).toBe(401);
    expect(await conversations()).toEqual([]);
  });

  it.each([
    ['comment', { comment: {} }],
    ['email', { requester: { name: 'Ann', email: 'ann' } }],
    ['name', { requester: { name: '', email: 'ann@example.com' } }],
    ['subject', { subject: 'x'.repeat(151) }],
  ])('returns a 422 in Zendesk’s form for a ticket without a valid %s', async (_what, changes) => {
    const answer = await create(changes);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ error: 'RecordInvalid', details: expect.any(Object) });
    expect(await conversations()).toEqual([]);
  });
});

describe('an idempotency key', () => {
  const key = { 'idempotency-key': 'k' };

  it('returns the first ticket for the same ticket, as a hit', async () => {
    const id = await idOf(await create({}, key));
    const again = await create({}, key);
    expect([again.status, again.headers.get('x-idempotency-lookup')]).toEqual([201, 'hit']);
    expect(await idOf(again)).toBe(id);
    expect(await conversations()).toHaveLength(1);
  });

  it('returns a 400 for another ticket', async () => {
    await create({}, key);
    const other = await create({ subject: 'Another' }, key);
    expect(other.status).toBe(400);
    expect(await other.json()).toMatchObject({ error: 'IdempotentRequestError' });
  });

  it('is forgotten after the configured time, and then creates a second ticket', async () => {
    const id = await idOf(await create({}, key));
    expect((await client.call('PUT', '/support/settings', { forget_keys_after_ms: 0 })).status).toBe(200);
    const again = await create({}, key);
    expect(again.headers.get('x-idempotency-lookup')).toBe('miss');
    expect(await idOf(again)).toBe(id + 1);
    expect((await find('report-1')).count).toBe(2);
  });

  it('returns a 422 for an unknown setting', async () => {
    expect((await client.call('PUT', '/support/settings', { forget_keys_after_ms: -1 })).status).toBe(422);
    expect((await client.call('PUT', '/support/settings', { forget: 1 })).status).toBe(422);
  });
});

describe('a search for tickets', () => {
  it('finds those with the external_id only', async () => {
    const id = await idOf(await create());
    await create({ external_id: 'report-2' });
    expect(await find('report-1')).toEqual({ count: 1, tickets: [{ id, external_id: 'report-1' }] });
    expect(await find('report-3')).toEqual({ count: 0, tickets: [] });
  });
});

describe('faults of the support desk', () => {
  const fail = (fault: object) => client.call('POST', '/faults', { provider: 'support', ...fault });

  it('return a status with headers, also for searches, and create nothing', async () => {
    await fail({ status: 429, times: 2, headers: { 'retry-after': '7' } });
    const answers = [await create(), await client.call('GET', tickets, undefined, { authorization })];
    expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
      [429, '7'],
      [429, '7'],
    ]);
    expect(await conversations()).toEqual([]);
  });

  it('return a 200 with broken JSON for malformed', async () => {
    await fail({ malformed: true });
    const answer = await create();
    expect(answer.status).toBe(200);
    await expect(answer.json()).rejects.toThrow('JSON');
  });

  it('return nothing for reset', async () => {
    await fail({ reset: true });
    await expect(create()).rejects.toThrow('fetch failed');
  });

  it.each([{ status: 500 }, { reset: true }, { malformed: true }])(
    'keep one ticket, which can be found, for %j after it was created',
    async (fault) => {
      await fail({ ...fault, accept: true });
      await create({}, { 'idempotency-key': 'k' }).catch(() => undefined);
      expect((await find('report-1')).count).toBe(1);
      expect((await create({}, { 'idempotency-key': 'k' })).headers.get('x-idempotency-lookup')).toBe('hit');
    },
  );
});
