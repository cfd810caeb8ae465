import { z } from 'zod';
import { startFakes } from '../../../../local/fakes/server';
import type { Fakes } from '../../../../local/fakes/server';
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

  it('returns a 401 without the credentials of an agent, as does a search', async () => {
    for (const credentials of ['', basic('agent@acme.test:key'), basic('/token:key')]) {
      const headers = { authorization: credentials };
      expect((await create({}, headers)).status).toBe(401);
      expect((await client.call('GET', tickets, undefined, headers)).status).toBe(401);
    }
    expect(await conversations()).toEqual([]);
  });

  it('returns a 422 in Zendesk’s form for a ticket with a wrong field', async () => {
    for (const changes of [
      { comment: {} },
      { requester: { name: 'Ann', email: 'ann' } },
      { requester: { name: '', email: 'ann@example.com' } },
      { subject: 'x'.repeat(151) },
    ]) {
      const answer = await create(changes);
      expect([answer.status, await answer.json()]).toMatchObject([
        422,
        { error: 'RecordInvalid', details: expect.any(Object) },
      ]);
    }
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

  it('is forgotten after the configured time, and then creates a second ticket', async () => {
    const id = await idOf(await create({}, key));
    expect((await client.call('PUT', '/support/settings', { forget_keys_after_ms: 0 })).status).toBe(200);
    const again = await create({}, key);
    expect(again.headers.get('x-idempotency-lookup')).toBe('miss');
    expect(await idOf(again)).toBe(id + 1);
    expect((await find('report-1')).count).toBe(2);
  });
});

describe('faults of the support desk', () => {
  const fail = (fault: object) => client.call('POST', '/faults', { provider: 'support', ...fault });

  it('keep one ticket, which can be found, after it was created', async () => {
    for (const fault of [{ status: 500 }, { reset: true }, { malformed: true }]) {
      await client.call('DELETE', '/records');
      await fail({ ...fault, accept: true });
      await create({}, { 'idempotency-key': 'k' }).catch(() => undefined);
      expect((await find('report-1')).count).toBe(1);
      const again = await create({}, { 'idempotency-key': 'k' });
      expect(again.headers.get('x-idempotency-lookup')).toBe('hit');
    }
  });
});
