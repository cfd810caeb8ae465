import { errorBody } from '../../harness/platform/error-body';
import { allOperations } from '../../harness/platform/operation-inputs';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
});

type Sent = { method?: string; headers?: Record<string, string>; body?: string };

/**
 * Sends a request to a path of the API's origin. The request has the owner's token, unless `headers` contains another
 * one.
 */
async function send(path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  const response = await fetch(`${platform.stack.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${platform.stack.tokens.merchant_owner}`, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: (json ? JSON.parse(text) : undefined) as Record<string, unknown> | undefined,
  };
}

const names = allOperations.map(({ name, method }) => [name, method] as const);
/** The router treats all operations alike, so one GET operation and one POST operation are enough. */
const oneEach = names.filter(([name]) => ['job-interview-get', 'job-interview-update'].includes(name));
const pages = ['/healthz', '/readyz', '/docs', '/docs/reference', '/v1/openapi', '/.well-known/jwks.json'];

describe('an unknown address', () => {
  it.each([
    '/',
    '/v1',
    '/v1/no-such-operation',
    '/metrics',
    '/v2/job-interview-get',
    '/v1/job-interview-get/x',
  ])('returns 404 in JSON for %s', async (path) => {
    const { status, headers, body } = await send(path);
    expect(status).toBe(404);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual(errorBody('not_found', undefined, expect.stringContaining('/docs')));
  });

  it.each([
    '/%zz',
    '/v1/%zz',
    '/v1/%c0%af',
    '/v1/job-interview-get/%',
    '/docs/assets/%zz',
    '/docs/assets/..%2f..',
  ])('returns 404 for %s, which cannot be decoded', async (path) => {
    const { status, body } = await send(path);
    expect([status, typeof body?.['error']]).toEqual([404, 'string']);
  });
});

describe('another spelling of an address', () => {
  it.each([
    '/v1/INTERVIEW-TEMPLATE-LIST',
    '/v1/interview-template-list/',
    '/V1/interview-template-list',
    '/DOCS',
    '/docs/',
    '/v1/openapi/',
    '/v1/OpenAPI',
    '/Healthz',
    '/auth/token/',
    '/docs/Errors',
  ])('returns 404 for %s', async (path) => {
    const { status, body } = await send(path);
    expect([status, typeof body?.['error']]).toEqual([404, 'string']);
  });
});

describe('/docs/assets', () => {
  it('has the files that the pages load, for GET only', async () => {
    const { text: page } = await send('/docs/reference');
    const assets = [...page.matchAll(/"(\/docs\/assets\/[^"]+)"/g)].map(([, place = '']) => place);
    expect(assets.map((place) => place.replace(/-[0-9a-f]{16}\./, '.'))).toEqual([
      '/docs/assets/header.css',
      '/docs/assets/scalar.js',
      '/docs/assets/reference.js',
    ]);
    for (const place of assets) {
      const { status, headers, text } = await send(place);
      expect([status, headers.get('content-type')]).toEqual([
        200,
        place.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
      ]);
      expect(headers.get('cache-control')).toContain('immutable');
      expect(text.length).toBeGreaterThan(500);
      const posted = await send(place, { method: 'POST', body: '{}' });
      expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
  });

  it('has the script of the reference also for clients that accept no compression', async () => {
    const { text: page } = await send('/docs/reference');
    const [, place = ''] = /"(\/docs\/assets\/scalar[^"]+)"/.exec(page) ?? [];
    const [compressed, plain] = await Promise.all(
      ['gzip', 'identity'].map((encoding) => send(place, { headers: { 'accept-encoding': encoding } })),
    );
    expect(compressed?.headers.get('content-encoding')).toBe('gzip');
    expect(plain?.headers.get('content-encoding')).toBeNull();
    expect(plain?.text).toBe(compressed?.text);
    expect(plain?.headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
  });

  it.each(['', '/', '/package.json', '/index.html', '/scalar.js', '/scalar.js.gz', '/docs.css'])(
    'has nothing else and returns 404 in JSON for %j',
    async (path) => {
      const { status, body } = await send(`/docs/assets${path}`);
      expect([status, typeof body?.['error']]).toEqual([404, 'string']);
    },
  );
});

describe('a method that an address does not support', () => {
  it.each(oneEach)('gets a 405 with Allow for %s', async (name, method) => {
    const allow = method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
    for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'].filter(
      (each) => each !== method,
    )) {
      const { status, headers, body } = await send(`/v1/${name}`, { method: other });
      expect([other, status, headers.get('allow')]).toEqual([other, 405, allow]);
      expect(body).toEqual(errorBody('method_not_allowed', undefined, expect.stringContaining(allow)));
    }
  });

  it.each(pages)('gets a 405 with Allow for %s', async (path) => {
    const { status, headers } = await send(path, { method: 'POST', body: '{}' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('gets a 405 with Allow for /auth/token', async () => {
    const { status, headers } = await send('/auth/token');
    expect([status, headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });
});

describe('HEAD', () => {
  it('returns the headers of GET and no body', async () => {
    const path = `/v1/job-interview-get?position_id=${platform.stack.ids.active_interview}`;
    // The length of a compressed reply is not known before it is sent, so HEAD has the length of the plain one.
    const headers = { 'accept-encoding': 'identity' };
    const [get, head] = [await send(path, { headers }), await send(path, { method: 'HEAD' })];
    expect([get.status, head.status, head.text]).toEqual([200, 200, '']);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
  });

  it.each([...pages, '/v1/nothing', '/v1/job-interview-get', '/v1/job-interview-update'])(
    'returns no body for %s',
    async (path) => {
      const { status, text } = await send(path, { method: 'HEAD' });
      const expected =
        path === '/v1/nothing' ? 404 : path.endsWith('get') ? 422 : path.endsWith('update') ? 405 : 200;
      expect([status, text]).toEqual([expected, '']);
    },
  );
});

describe('OPTIONS', () => {
  it.each([...oneEach, ...pages.map((path) => [path, 'GET'] as const)])(
    'lists the methods of %s without a credential',
    async (name, method) => {
      const path = name.startsWith('/') ? name : `/v1/${name}`;
      const { status, headers, text } = await send(path, {
        method: 'OPTIONS',
        headers: { authorization: '' },
      });
      const allow = method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
      expect([status, headers.get('allow'), text]).toEqual([200, allow, '']);
    },
  );

  it('returns 404 for an unknown address', async () => {
    expect((await send('/v1/nothing', { method: 'OPTIONS' })).status).toBe(404);
  });
});

describe('x-request-id', () => {
  const addresses: [string, Sent, number][] = [
    ['/v1/interview-template-list', {}, 200],
    ['/v1/interview-template-list', { headers: { authorization: 'Bearer x' } }, 401],
    ['/v1/interview-template-list?limit=0', {}, 422],
    ['/v1/job-interview-update', { method: 'POST', body: 'x'.repeat(1_048_577) }, 413],
    ['/v1/job-interview-update', { method: 'POST', body: '{' }, 422],
    ['/v1/job-interview-update', {}, 405],
    ['/v1/job-interview-update', { method: 'OPTIONS' }, 200],
    ['/v1/interview-template-list', { method: 'HEAD' }, 200],
    ['/auth/token', { method: 'POST', body: '{}' }, 422],
    ['/nothing', {}, 404],
    ['/%zz', {}, 404],
    ...pages.map((path): [string, Sent, number] => [path, {}, 200]),
  ];

  it.each(addresses)(
    'of the caller is kept by %s with %j, which returns %i',
    async (path, sent, expected) => {
      const id = 'My-own.id_1';
      const { status, headers } = await send(path, {
        ...sent,
        headers: { ...sent.headers, 'x-request-id': id },
      });
      expect([status, headers.get('x-request-id')]).toEqual([expected, id]);
    },
  );

  it.each(['', 'a b', 'a'.repeat(129), 'a,b', 'ä', 'a;b', '<a>'])('is replaced if it is %j', async (id) => {
    const { headers } = await send('/v1/interview-template-list', { headers: { 'x-request-id': id } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('of 128 characters is kept, and two requests without one get different ids', async () => {
    const long = 'a'.repeat(128);
    expect((await send('/healthz', { headers: { 'x-request-id': long } })).headers.get('x-request-id')).toBe(
      long,
    );
    const [one, two] = [await send('/healthz'), await send('/healthz')];
    expect(one.headers.get('x-request-id')).not.toBe(two.headers.get('x-request-id'));
  });
});

describe('headers', () => {
  it('of every reply are those of helmet, without x-powered-by', async () => {
    for (const path of [
      '/v1/interview-template-list',
      '/v1/nothing',
      '/healthz',
      '/docs',
      '/v1/job-interview-get',
    ]) {
      const { headers } = await send(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toContain('default-src');
      expect(headers.get('x-powered-by')).toBeNull();
      // `strict-transport-security` is sent only if the origin is https, which it is not here.
      expect(headers.get('strict-transport-security')).toBeNull();
    }
  });

  it('ignore apikey, which is no credential', async () => {
    const apikey = platform.stack.service_key;
    expect((await send('/v1/interview-template-list', { headers: { apikey } })).status).toBe(200);
    const response = await fetch(`${platform.stack.base_url}/interview-template-list`, {
      headers: { apikey },
    });
    expect(response.status).toBe(401);
  });

  it.each(['', 'a'.repeat(256), 'sch\u00f6n', 'a\tb'])('with Idempotency-Key %j get a 422', async (key) => {
    const { status, body } = await send('/v1/job-interview-update', {
      method: 'POST',
      headers: { 'idempotency-key': key },
      body: JSON.stringify({ position_id: platform.stack.ids.active_interview, name: 'Backend engineer' }),
    });
    expect([status, body?.['name']]).toEqual([422, 'Idempotency-Key']);
  });

  it('may contain an Idempotency-Key on a GET, which is ignored', async () => {
    const headers = { 'idempotency-key': 'a'.repeat(256) };
    expect((await send('/v1/interview-template-list', { headers })).status).toBe(200);
  });
});

describe('the pages for monitoring', () => {
  it('include /healthz and /readyz without a credential', async () => {
    const none = { headers: { authorization: '' } };
    expect((await send('/healthz', none)).body).toEqual({ status: 'ok' });
    expect((await send('/readyz', none)).body).toEqual({ status: 'ready' });
  });

  it('include /metrics on its own port, which counts by operation and all unknown addresses together', async () => {
    await send('/v1/interview-template-list');
    await send('/v1/some-random-address');
    const response = await fetch(`${platform.metricsUrl}/metrics`);
    const text = await response.text();
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(text).toMatch(/http_requests_total\{operation="interview-template-list",status="200"\} \d+/);
    expect(text).toMatch(/http_requests_total\{operation="other",status="404"\} \d+/);
    expect(text).toContain('http_request_seconds_bucket');
    expect(text).not.toContain('some-random-address');
    expect((await fetch(`${platform.metricsUrl}/v1/openapi`)).status).toBe(404);
  });
});
