import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ProviderError } from '../../../activities/providers/provider-error';
import { createSupportDesk } from '../../../activities/providers/support-desk';
import type { SupportDesk } from '../../../activities/providers/support-desk';

let answer: RequestListener;
let asked: { method: string; url: string; headers: Record<string, unknown>; body: string }[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    const { method = '', url = '', headers } = request;
    asked.push({ method, url, headers, body });
    answer(request, response);
  });
});
let desk: SupportDesk;
/** A client with a short timeout, for servers that do not respond. */
let hasty: SupportDesk;
let baseUrl: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/desk/`;
  const settings = { baseUrl, user: 'agent@acme.test', token: 'key' };
  desk = createSupportDesk({ ...settings, timeoutMs: 60_000 });
  hasty = createSupportDesk({ ...settings, timeoutMs: 1_000 });
});
afterAll(async () => {
  await Promise.all([desk.close(), hasty.close()]);
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  asked = [];
});

const ticket = {
  external_id: 'report-1',
  requester: { name: 'Ann', email: 'ann@example.com' },
  subject: 'Broken',
  body: 'Broken.\n\nQuite.',
  tags: ['technical_issue'],
};
const never = new AbortController().signal;
const replies =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) =>
      error instanceof ProviderError ? [error.kind, error.retryAfterMs] : [`not ours: ${String(error)}`],
  );

describe('createTicket', () => {
  it('sends basic authentication, an idempotency key and the ticket, as Zendesk wants', async () => {
    answer = replies(201, '{"ticket": {"id": 35436, "more": true}, "audit": {}}');
    expect(await desk.createTicket(ticket, never)).toBe(35_436);
    const { external_id, requester, subject, body, tags } = ticket;
    expect(asked).toEqual([
      {
        method: 'POST',
        url: '/desk/api/v2/tickets.json',
        headers: expect.objectContaining({
          authorization: `Basic ${Buffer.from('agent@acme.test/token:key').toString('base64')}`,
          'idempotency-key': 'report-1',
          'content-type': 'application/json',
        }),
        body: JSON.stringify({ ticket: { subject, comment: { body }, requester, external_id, tags } }),
      },
    ]);
  });

  it.each<[string, RequestListener, unknown[]]>([
    ['500', replies(500, 'ann@example.com'), ['500', undefined]],
    ['401', replies(401, '{}'), ['401', undefined]],
    ['a redirect, which is not followed', replies(302, '', { location: '/elsewhere' }), ['302', undefined]],
    ['429 with Retry-After', replies(429, '{}', { 'retry-after': '7' }), ['429', 7_000]],
    ['503 with a Retry-After of words', replies(503, '', { 'retry-after': 'soon' }), ['503', undefined]],
    ['broken JSON', replies(200, '{"ticket": {"id": '), ['malformed', undefined]],
    ['an answer without a number', replies(201, '{"ticket": {"id": "x"}}'), ['malformed', undefined]],
    ['an endless answer', replies(201, 'x'.repeat(2_000_000)), ['too_long', undefined]],
    ['a closed connection', (request) => request.socket.resetAndDestroy(), ['network', undefined]],
  ])('fails with one word for %s', async (_what, listener, failure) => {
    answer = listener;
    expect(await failureOf(desk.createTicket(ticket, never))).toEqual(failure);
    expect(asked).toHaveLength(1);
  });

  it.each<[string, RequestListener]>([
    ['no answer', () => undefined],
    ['an answer that does not end', (_request, response) => void response.writeHead(201).write('{"ticket"')],
  ])('fails with one word and without a second call for %s', async (_what, listener) => {
    answer = listener;
    expect(await failureOf(hasty.createTicket(ticket, never))).toEqual(['timeout', undefined]);
    // If the timeout is reached before the connection is open, no request is sent.
    expect(asked.length).toBeLessThanOrEqual(1);
  });

  it('fails when its signal aborts it', async () => {
    answer = () => controller.abort();
    const controller = new AbortController();
    expect(await failureOf(desk.createTicket(ticket, controller.signal))).toEqual(['cancelled', undefined]);
  });

  it('fails when the server cannot be reached', async () => {
    const nobody = createSupportDesk({ baseUrl: 'http://127.0.0.1:1', user: 'a@b.test', token: 'key' });
    expect(await failureOf(nobody.createTicket(ticket, never))).toEqual(['network', undefined]);
    await nobody.close();
  });
});

describe('findTicket', () => {
  it('searches by external_id and returns the first of our tickets only', async () => {
    const tickets = [
      { id: 9, external_id: 'another' },
      { id: 12, external_id: 'a b&c' },
      { id: 11, external_id: 'a b&c' },
      { id: 10, external_id: null },
    ];
    answer = replies(200, JSON.stringify({ tickets, count: 4 }));
    expect(await desk.findTicket('a b&c', never)).toBe(11);
    expect(asked.map(({ method, url }) => [method, url])).toEqual([
      ['GET', '/desk/api/v2/tickets.json?external_id=a+b%26c'],
    ]);
    expect(asked[0]?.headers).not.toHaveProperty('idempotency-key');
    expect(await desk.findTicket('a', never)).toBeUndefined();
  });

  it('does not report a failure as a missing ticket', async () => {
    answer = replies(404, '{}');
    expect(await failureOf(desk.findTicket('a', never))).toEqual(['404', undefined]);
    answer = replies(200, '{}');
    expect(await failureOf(desk.findTicket('a', never))).toEqual(['malformed', undefined]);
  });
});
