import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFeatureBoard } from '../../../activities/providers/feature-board';
import { ProviderError } from '../../../activities/providers/provider-error';
import { createSupportDesk } from '../../../activities/providers/support-desk';
import type { SupportDesk } from '../../../activities/providers/support-desk';
import { startFakes } from '../../../local/fakes/server';
import type { Fakes } from '../../../local/fakes/server';

/* The tests of failures with the board are tests of createProviderClient, which both clients use. */
describe('createFeatureBoard', () => {
  let fakes: Fakes;
  const boards: ReturnType<typeof createFeatureBoard>[] = [];
  const servers: Server[] = [];
  beforeAll(async () => {
    fakes = await startFakes({ port: 0 });
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
    await Promise.all(boards.splice(0).map((board) => board.close()));
  });
  afterAll(() => fakes.close());
  beforeEach(async () => {
    await fetch(`${fakes.url}/faults`, { method: 'DELETE' });
    await fetch(`${fakes.url}/records`, { method: 'DELETE' });
  });

  function boardAt(baseUrl: string) {
    const board = createFeatureBoard({ baseUrl, apiKey: 'key-secret', boardId: 'board' });
    boards.push(board);
    return board;
  }
  const limit = { timeoutMs: 60_000, signal: new AbortController().signal };
  const ann = { email: 'ann.secret@example.com', name: 'Ann Lee' };
  const newPost = { title: 'Dark mode', details: 'For late hours, secret' };

  /** Starts a server that responds with `answer` and records its requests. */
  async function startServer(answer: (response: ServerResponse) => void) {
    const requests: { url: string | undefined; type: string | undefined; body: unknown }[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
        requests.push({ url: request.url, type: request.headers['content-type'], body });
        answer(response);
      });
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const address = server.address();
    return { url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, requests };
  }

  /** Returns the failure of a call, and checks that it contains nothing of the request, the response or the API key. */
  async function failureOf(asking: Promise<unknown>): Promise<ProviderError> {
    const error: unknown = await asking.then(
      () => 'no failure',
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof ProviderError)) throw new Error(`not a failure: ${String(error)}`);
    expect([error.message, error.stack, JSON.stringify(error), String(error.cause)].join(' ')).not.toMatch(
      /secret/,
    );
    return error;
  }

  it('finds the person, creates the post and finds it by title and details, regardless of blanks', async () => {
    const board = boardAt(`${fakes.url}/board/`);
    const authorId = await board.findOrCreateAuthor(ann, limit);
    expect(await board.findOrCreateAuthor(ann, limit)).toBe(authorId);
    const search = { authorId, title: ' Dark  mode', details: 'For late hours,\nsecret', except: [] };
    expect(await board.findPost(search, limit)).toBeUndefined();
    const id = await board.createPost({ authorId, ...newPost }, limit);
    expect(await board.findPost(search, limit)).toBe(id);
    expect(await board.findPost({ ...search, except: [id] }, limit)).toBeUndefined();
    expect(await board.findPost({ ...search, title: 'Dark modes' }, limit)).toBeUndefined();
    expect(await board.findPost({ ...search, details: 'Something else' }, limit)).toBeUndefined();
    const bob = await board.findOrCreateAuthor({ email: 'bob@example.com', name: 'Bob' }, limit);
    expect(await board.findPost({ ...search, authorId: bob }, limit)).toBeUndefined();
  });

  it('sends POST requests with JSON and the key in the body, as Canny’s API wants', async () => {
    const server = await startServer((response) => response.end('{"id": "a1", "posts": []}'));
    const board = boardAt(server.url);
    await board.findOrCreateAuthor(ann, limit);
    await board.findPost({ authorId: 'a1', title: 'Dark mode', details: '', except: [] }, limit);
    await board.createPost({ authorId: 'a1', ...newPost }, limit);
    const type = 'application/json';
    expect(server.requests).toEqual([
      { url: '/api/v1/users/find_or_create', type, body: { apiKey: 'key-secret', ...ann } },
      {
        url: '/api/v1/posts/list',
        type,
        body: { apiKey: 'key-secret', boardID: 'board', authorID: 'a1', sort: 'newest', limit: 100 },
      },
      {
        url: '/api/v1/posts/create',
        type,
        body: { apiKey: 'key-secret', boardID: 'board', authorID: 'a1', ...newPost },
      },
    ]);
  });

  it.each([
    [500, true],
    [429, true],
    [408, true],
    [302, true],
    [204, true],
    [400, false],
    [401, false],
  ])('reports a %i without the text of the response, and whether to retry: %p', async (status, retryable) => {
    const server = await startServer((response) => {
      response.writeHead(status, { location: 'https://secret.example/', 'retry-after': '7' });
      response.end(status === 204 ? undefined : '{"error": "secret words about ann.secret@example.com"}');
    });
    const failure = await failureOf(boardAt(server.url).findOrCreateAuthor(ann, limit));
    expect(failure).toMatchObject({
      message: `the feature board responded with ${status}`,
      retryable,
      retryAfterMs: 7_000,
    });
    expect(server.requests).toHaveLength(1);
  });

  it.each(['{"id": ', '', 'null', '{"id": 7}', '{"id": "<script>"}'])(
    'reports a malformed response (%p) as an error to retry',
    async (body) => {
      const server = await startServer((response) => response.end(body));
      const failure = await failureOf(boardAt(server.url).createPost({ authorId: 'a1', ...newPost }, limit));
      expect(failure).toMatchObject({
        message: 'the feature board returned a malformed response',
        retryable: true,
      });
    },
  );

  it('does not read an endless answer beyond 4 MiB', async () => {
    const server = await startServer((response) => {
      const chunk = Buffer.alloc(65_536, ' ');
      const more = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const failure = await failureOf(boardAt(server.url).findOrCreateAuthor(ann, limit));
    expect(failure).toMatchObject({
      message: 'the feature board returned a response that is too long',
      retryable: true,
    });
  });

  it.each([
    ['before the headers', () => undefined],
    ['in the body', (response: ServerResponse) => void response.write('{"id"')],
  ])('stops waiting at the time limit for a server that hangs %s', async (_where, answer) => {
    const server = await startServer(answer);
    const asking = boardAt(server.url).findOrCreateAuthor(ann, { ...limit, timeoutMs: 50 });
    expect(await failureOf(asking)).toMatchObject({
      message: 'the feature board did not respond in time',
      retryable: true,
    });
  });

  it('reports a connection that breaks or is refused as unreachable', async () => {
    const server = await startServer((response) => response.socket?.resetAndDestroy());
    for (const url of [server.url, 'http://127.0.0.1:1', 'http://board.invalid'])
      expect(await failureOf(boardAt(url).findOrCreateAuthor(ann, limit))).toMatchObject({
        message: 'the feature board cannot be reached',
        retryable: true,
      });
  });

  it('is canceled by the signal', async () => {
    const server = await startServer(() => undefined);
    const stop = new AbortController();
    const asking = failureOf(boardAt(server.url).findOrCreateAuthor(ann, { ...limit, signal: stop.signal }));
    stop.abort();
    expect(await asking).toMatchObject({ message: 'the call was cancelled' });
  });
});

describe('support-desk', () => {
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
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/desk/`;
    desk = createSupportDesk({ baseUrl, user: 'agent@acme.test', token: 'key' });
  });
  afterAll(async () => {
    await desk.close();
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
});
