import { readFileSync } from 'node:fs';
import { buildSync } from 'esbuild';
import {
  ApiError,
  ConnectionError,
  ConflictError,
  InterviewPlatform,
  NotFoundError,
  PreconditionError,
  RateLimitError,
  ServerError,
  SyncCursorExpiredError,
  ValidationError,
} from '../../../clients/typescript/src/index';
import type { Settings } from '../../../clients/typescript/src/index';

type Step = Response | Error | ((url: string, init: RequestInit) => Response | Promise<Response>);
type Request = { url: string; init: RequestInit; headers: Record<string, string> };

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });
const failure = (status: number, code: string, headers?: Record<string, string>) =>
  json(status, { error: 'It failed.', code, request_id: 'request-1', errors: [] }, headers);

/** Returns a client whose calls get these replies one after the other, and what it sent. */
function clientOf(steps: Step[], settings: Partial<Settings> = { serviceKey: 'sk_test' }) {
  const requests: Request[] = [];
  const client = new InterviewPlatform({
    baseUrl: 'https://api.example.com/v1',
    fetch: async (url, init) => {
      requests.push({ url, init, headers: init.headers as Record<string, string> });
      const step = steps.shift();
      if (step === undefined) throw new Error('no more replies');
      if (step instanceof Error) throw step;
      return step instanceof Response ? step : step(url, init);
    },
    ...settings,
  });
  return { client, requests };
}

/** Lets a call run while its waits pass, and returns what it waited in all, in seconds. */
async function passing<Value>(call: () => Promise<Value>): Promise<{ value: Value; seconds: number }> {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  try {
    const begin = Date.now();
    const state = { isDone: false };
    const done = call().finally(() => (state.isDone = true));
    done.catch(() => undefined);
    while (!state.isDone) await jest.advanceTimersByTimeAsync(50);
    return { value: await done, seconds: (Date.now() - begin) / 1000 };
  } finally {
    jest.useRealTimers();
  }
}
const errorOf = async (call: () => Promise<unknown>) => {
  const { value } = await passing(() => call().catch((error: unknown) => error));
  return value;
};
const create = { name: 'Handbook', text: 'We open at nine.' };

describe('retries', () => {
  it.each([
    ['408', failure(408, 'request_timeout')],
    ['409 idempotency_key_in_use', failure(409, 'idempotency_key_in_use')],
    ['429', failure(429, 'rate_limited')],
    ['500', failure(500, 'internal_error')],
    ['503', failure(503, 'overloaded')],
    ['502 of a proxy', new Response('<html>', { status: 502 })],
    ['a broken connection', new TypeError('fetch failed')],
  ])('repeats a call after %s with the same key and body', async (_what, step) => {
    const { client, requests } = clientOf([step, json(200, { id: 'k' })]);
    const { value } = await passing(() => client.knowledgeBaseCreate(create));
    expect(value).toEqual({ id: 'k' });
    const [first, second] = requests;
    expect(first?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toEqual({ ...first, init: { ...first?.init, signal: expect.anything() as unknown } });
  });

  it.each([
    ['409 of another kind', failure(409, 'id_taken'), ConflictError],
    ['422', failure(422, 'required'), ValidationError],
    ['404', failure(404, 'not_found'), NotFoundError],
    ['410', failure(410, 'sync_cursor_expired'), SyncCursorExpiredError],
    ['a daily limit', failure(429, 'daily_limit_reached'), RateLimitError],
    ['a wait of more than a minute', failure(503, 'overloaded', { 'retry-after': '61' }), ServerError],
  ])('does not repeat a call after %s', async (_what, step, expected) => {
    const { client, requests } = clientOf([step]);
    expect(await errorOf(() => client.knowledgeBaseCreate(create))).toBeInstanceOf(expected);
    expect(requests).toHaveLength(1);
  });

  it('gives up after two retries, or as many as are set', async () => {
    const broken = () => Array.from({ length: 9 }, () => new TypeError('fetch failed'));
    for (const maxRetries of [undefined, 0, 4]) {
      const { client, requests } = clientOf(broken(), { serviceKey: 'k', maxRetries });
      const error = await errorOf(() => client.merchantStatus());
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error).toMatchObject({ status: 0, code: 'connection_failed', requestId: null });
      expect(requests).toHaveLength(1 + (maxRetries ?? 2));
    }
  });

  it('waits as long as Retry-After says and at most a fifth more, or half a second and then twice that', async () => {
    const wait = async (...steps: Step[]) =>
      (await passing(() => clientOf([...steps, json(200, {})]).client.merchantStatus())).seconds;
    const asked = await wait(failure(429, 'rate_limited', { 'retry-after': '7' }));
    expect(asked).toBeGreaterThanOrEqual(7);
    expect(asked).toBeLessThanOrEqual(8.5);
    // A date has no fractions of a second.
    const until = new Date(Date.now() + 7_000).toUTCString();
    const dated = await wait(failure(429, 'rate_limited', { 'retry-after': until }));
    expect(dated).toBeGreaterThanOrEqual(5);
    expect(dated).toBeLessThanOrEqual(8.5);
    const own = await wait(failure(500, 'internal_error'), failure(500, 'internal_error'));
    expect(own).toBeGreaterThanOrEqual(0.75);
    expect(own).toBeLessThanOrEqual(1.6);
  });

  it('repeats a call whose reply breaks off in its body', async () => {
    const half = new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"id":'));
          controller.error(new TypeError('terminated'));
        },
      }),
    );
    const { client, requests } = clientOf([half, json(200, { id: 'k' })]);
    expect((await passing(() => client.knowledgeBaseCreate(create))).value).toEqual({ id: 'k' });
    expect(requests).toHaveLength(2);
  });

  it('ends an attempt after the limit, and a call when its signal is aborted', async () => {
    const hang = (_url: string, { signal }: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        if (signal?.aborted) reject(signal.reason as Error);
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
    const slow = clientOf([hang], { serviceKey: 'k', timeoutMs: 20, maxRetries: 0 });
    await expect(slow.client.merchantStatus()).rejects.toMatchObject({ code: 'timeout' });

    const { client, requests } = clientOf([hang]);
    const abort = new AbortController();
    const call = client.merchantStatus({}, { signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(requests).toHaveLength(1);
  });
});

describe('calls', () => {
  it('name the merchant of the client where the operation takes one and the call has none', async () => {
    const settings = { serviceKey: 'k', merchantId: 'm1' };
    const { client, requests } = clientOf(
      [1, 2, 3, 4].map(() => json(200, {})),
      settings,
    );
    await client.merchantStatus();
    await client.knowledgeBaseCreate(create);
    await client.knowledgeBaseCreate({ ...create, merchant_id: 'm2' });
    await client.merchantList().page();
    expect(requests.map(({ url, init }) => [url.split('/v1/')[1], init.body ?? null])).toEqual([
      ['merchant-status?merchant_id=m1', null],
      ['knowledge-base-create', JSON.stringify({ merchant_id: 'm1', ...create })],
      ['knowledge-base-create', JSON.stringify({ merchant_id: 'm2', ...create })],
      ['merchant-list', null],
    ]);
  });

  it('send the idempotency key and the headers of the caller', async () => {
    const { client, requests } = clientOf([json(200, {})]);
    await client.knowledgeBaseCreate(create, { idempotencyKey: 'mine', headers: { 'x-request-id': 'r' } });
    expect(requests[0]?.headers).toMatchObject({ 'idempotency-key': 'mine', 'x-request-id': 'r' });
  });

  it('send one idempotency key with a raw POST, however the method and the header are written', async () => {
    const { client, requests } = clientOf([json(200, {}), json(200, {})]);
    await client.raw('post', 'knowledge-base-create', { body: create });
    await client.raw('POST', 'knowledge-base-create', {
      body: create,
      options: { headers: { 'Idempotency-Key': 'mine' } },
    });
    const keys = requests.map(({ headers }) => new Headers(headers).get('idempotency-key'));
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), 'mine']);
  });

  it('throw what the API says is wrong', async () => {
    const errors = [{ name: 'users[3].email', code: 'required', error: 'users[3].email is required.' }];
    const body = {
      error: errors[0]?.error,
      name: 'users[3].email',
      code: 'required',
      request_id: 'r',
      errors,
    };
    const { client } = clientOf([json(422, body)]);
    await expect(client.knowledgeBaseCreate(create)).rejects.toMatchObject({
      status: 422,
      code: 'required',
      name: 'users[3].email',
      message: 'users[3].email is required.',
      requestId: 'r',
      errors,
    });
  });

  it('throw an error of their own if the reply is not JSON, such as the page of a proxy', async () => {
    const { client } = clientOf([new Response('<html>Sign in</html>')]);
    const call = client.merchantStatus();
    await expect(call).rejects.toBeInstanceOf(ApiError);
    await expect(call).rejects.toMatchObject({ status: 200, code: 'unexpected_reply' });
  });

  it('get a file as text', async () => {
    const { client } = clientOf([new Response('a,b\n1,2\n')]);
    expect(await client.merchantScoringExport({ from: '2026-01-01', to: '2026-02-01' })).toBe('a,b\n1,2\n');
  });

  it('return a 304 to a caller that has sent an ETag, and can name the one that it changes', async () => {
    const { client, requests } = clientOf([
      new Response(null, { status: 304 }),
      failure(412, 'precondition_failed'),
    ]);
    const options = { headers: { 'if-none-match': '"a"' } };
    expect((await client.raw('GET', 'merchant-status', { options })).status).toBe(304);
    const change = client.knowledgeBaseUpdate({ knowledge_base_id: 'k' }, { headers: { 'if-match': '"a"' } });
    await expect(change).rejects.toBeInstanceOf(PreconditionError);
    expect(requests.map(({ headers }) => headers['if-none-match'] ?? headers['if-match'])).toEqual([
      '"a"',
      '"a"',
    ]);
  });

  it('can be sent to any address of the API, and to no other', async () => {
    const { client, requests } = clientOf([json(200, { a: 1 }, { 'x-request-id': 'r' })]);
    const response = await client.raw('GET', 'merchant-status', { query: { a: ['x', 'y'], b: undefined } });
    expect([response.headers.get('x-request-id'), await response.json()]).toEqual(['r', { a: 1 }]);
    expect(requests[0]?.url).toBe('https://api.example.com/v1/merchant-status?a=x%2Cy');
    for (const path of ['https://example.com/', '//example.com/', 'http://api.example.com/v1/x'])
      await expect(client.raw('GET', path)).rejects.toThrow('not an address of the API');
    expect(requests).toHaveLength(1);
  });
});

describe('tokens', () => {
  const tokens = { access_token: 'new', refresh_token: 'r2' };

  it('are refreshed once for all calls that find them expired, and stored', async () => {
    const stored: unknown[] = [];
    const reply = (url: string, { headers }: RequestInit) => {
      if (url.endsWith('/auth/token')) return json(200, tokens);
      return (headers as Record<string, string>)['authorization'] === 'Bearer new'
        ? json(200, { ok: true })
        : failure(401, 'token_expired');
    };
    const { client, requests } = clientOf(
      Array.from({ length: 9 }, () => reply),
      {
        token: { accessToken: 'old', refreshToken: 'r1', onRefresh: (next) => void stored.push(next) },
      },
    );
    const both = await Promise.all([client.merchantStatus(), client.merchantStatus()]);
    expect(both).toEqual([{ ok: true }, { ok: true }]);
    const refreshes = requests.filter(({ url }) => url === 'https://api.example.com/auth/token');
    expect(refreshes.map(({ init }) => init.body)).toEqual(['grant_type=refresh_token&refresh_token=r1']);
    expect(refreshes[0]?.headers['authorization']).toBeUndefined();
    expect(stored).toEqual([{ accessToken: 'new', refreshToken: 'r2' }]);
  });

  it('are fetched first if there is only a refresh token', async () => {
    const { client, requests } = clientOf([json(200, tokens), json(200, {})], {
      token: { refreshToken: 'r1' },
    });
    await client.merchantStatus();
    expect(requests.map(({ headers }) => headers['authorization'])).toEqual([undefined, 'Bearer new']);
  });

  it('are not refreshed after any other 401', async () => {
    const { client, requests } = clientOf([failure(401, 'token_revoked')], {
      token: { accessToken: 'old', refreshToken: 'r1' },
    });
    await expect(client.merchantStatus()).rejects.toMatchObject({ name: 'AuthenticationError', status: 401 });
    expect(requests).toHaveLength(1);
  });

  it('or a service key are needed, and not both', () => {
    expect(() => clientOf([], {})).toThrow('either `token` or `serviceKey`');
    expect(() => clientOf([], { token: 't', serviceKey: 'k' })).toThrow('either `token` or `serviceKey`');
  });
});

describe('lists', () => {
  const page = (data: number[], pagination: object) => json(200, { data, pagination });
  const readAll = async (steps: Step[]) => {
    const { client, requests } = clientOf(steps);
    const rows: unknown[] = [];
    for await (const row of client.jobInterviewList({ status: 'active' })) rows.push(row);
    return { rows, queries: requests.map(({ url }) => url.split('?')[1]) };
  };

  it('are read to the end by the cursor of each page', async () => {
    const { rows, queries } = await readAll([
      page([1], { total: 2, limit: 1, offset: 0, has_more: true, next_cursor: 'c1' }),
      page([2], { total: 2, limit: 1, offset: 0, has_more: true, next_cursor: null }),
    ]);
    expect(rows).toEqual([1, 2]);
    expect(queries[1]).toBe('limit=200&status=active&cursor=c1');
  });
});

describe('sync.follow', () => {
  const page = (cursor: string, has_more: boolean) =>
    json(200, { data: [], deleted: [], cursor, has_more, lag_ms: 0 });

  it('reads page after page, waits when there is nothing more, and ends with its signal', async () => {
    const { client, requests } = clientOf([page('c1', true), page('c2', false), page('c3', false)]);
    const abort = new AbortController();
    const { seconds } = await passing(async () => {
      for await (const { cursor } of client.sync.follow({
        objects: ['result', 'interview'],
        signal: abort.signal,
      }))
        if (cursor === 'c3') abort.abort();
    });
    expect(seconds).toBeGreaterThanOrEqual(15);
    expect(requests.map(({ url }) => url.split('/v1/')[1])).toEqual([
      'sync?objects=result%2Cinterview',
      'sync?objects=result%2Cinterview&cursor=c1',
      'sync?objects=result%2Cinterview&cursor=c2',
    ]);
  });

  it('goes on after an outage, with the cursor that it had', async () => {
    const outage = Array.from({ length: 6 }, () => new TypeError('fetch failed'));
    const { client, requests } = clientOf([page('c1', false), ...outage, page('c2', false)]);
    const errors: string[] = [];
    const { value } = await passing(async () => {
      for await (const { cursor } of client.sync.follow({ onError: ({ code }) => errors.push(code) }))
        if (cursor === 'c2') return requests.at(-1)?.url;
      return undefined;
    });
    expect(value).toMatch(/cursor=c1$/);
    // Each of the two calls is repeated twice.
    expect(errors).toEqual(['connection_failed', 'connection_failed']);
  });

  it('throws an error of its own if the cursor has expired', async () => {
    const { client } = clientOf([failure(410, 'sync_cursor_expired')]);
    await expect(client.sync.follow({ cursor: 'old' }).next()).rejects.toBeInstanceOf(SyncCursorExpiredError);
  });
});

describe('the package', () => {
  it('has at most 40 kB when it is minified, and imports nothing', () => {
    const { outputFiles } = buildSync({
      entryPoints: ['clients/typescript/src/index.ts'],
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
    });
    expect(outputFiles[0]?.contents.length).toBeLessThanOrEqual(40_000);
    const { dependencies = {} } = JSON.parse(readFileSync('clients/typescript/package.json', 'utf8')) as {
      dependencies?: object;
    };
    expect(dependencies).toEqual({});
  });
});
