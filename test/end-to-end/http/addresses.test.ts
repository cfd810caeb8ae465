import { eachRow } from '../../harness/each-row';
import { errorBody } from '../../harness/platform/error-body';
import { allOperations } from '../../harness/platform/operation-inputs';
import type { Platform } from '../../harness/platform/platform';
import { sendRaw } from '../../harness/platform/raw-http';
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
  it('returns 404 in JSON, also for another spelling and if it cannot be decoded', () =>
    eachRow(
      `/ /v1 /v1/no-such-operation /metrics /v2/job-interview-get /v1/job-interview-get/x /%zz /v1/%zz /v1/%c0%af
       /v1/job-interview-get/% /docs/assets/%zz /docs/assets/..%2f.. /v1/INTERVIEW-TEMPLATE-LIST
       /v1/interview-template-list/ /V1/interview-template-list /DOCS /docs/ /v1/openapi/ /v1/OpenAPI /Healthz
       /auth/token/ /docs/Errors /docs/assets /docs/assets/ /docs/assets/package.json /docs/assets/index.html
       /docs/assets/scalar.js /docs/assets/scalar.js.gz /docs/assets/docs.css`.split(/\s+/),
      async (path) => {
        const { status, headers, body } = await send(path);
        expect([status, headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
        expect(body).toEqual(errorBody('not_found', undefined, expect.any(String)));
      },
    ));
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
      expect(text.length).toBeGreaterThan(200);
      const posted = await send(place, { method: 'POST', body: '{}' });
      expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
  });
});

describe('a method that an address does not support', () => {
  it('gets a 405 with Allow for an operation', () =>
    eachRow(oneEach, async (name, method) => {
      const allow = method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
      for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'].filter(
        (each) => each !== method,
      )) {
        const { status, headers, body } = await send(`/v1/${name}`, { method: other });
        expect([other, status, headers.get('allow')]).toEqual([other, 405, allow]);
        expect(body).toEqual(errorBody('method_not_allowed', undefined, expect.stringContaining(allow)));
      }
    }));

  it('gets a 405 with Allow for a page', () =>
    eachRow(pages, async (path) => {
      const { status, headers } = await send(path, { method: 'POST', body: '{}' });
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }));
});

describe('HEAD', () => {
  it('returns no body', () =>
    eachRow([...pages, '/v1/nothing', '/v1/job-interview-get', '/v1/job-interview-update'], async (path) => {
      const { status, text } = await send(path, { method: 'HEAD' });
      const expected =
        path === '/v1/nothing' ? 404 : path.endsWith('get') ? 422 : path.endsWith('update') ? 405 : 200;
      expect([status, text]).toEqual([expected, '']);
    }));
});

describe('OPTIONS', () => {
  it('lists the methods of an address without a credential', () =>
    eachRow([...oneEach, ...pages.map((path) => [path, 'GET'] as const)], async (name, method) => {
      const path = name.startsWith('/') ? name : `/v1/${name}`;
      const { status, headers, text } = await send(path, {
        method: 'OPTIONS',
        headers: { authorization: '' },
      });
      const allow = method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
      expect([status, headers.get('allow'), text]).toEqual([200, allow, '']);
    }));
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

  it('of the caller is kept', () =>
    eachRow(addresses, async (path, sent, expected) => {
      const id = 'My-own.id_1';
      const { status, headers } = await send(path, {
        ...sent,
        headers: { ...sent.headers, 'x-request-id': id },
      });
      expect([status, headers.get('x-request-id')]).toEqual([expected, id]);
    }));

  it('is replaced if it has other characters or too many', () =>
    eachRow(['', 'a b', 'a'.repeat(129), 'a,b', 'ä', 'a;b', '<a>'], async (id) => {
      const { headers } = await send('/v1/interview-template-list', { headers: { 'x-request-id': id } });
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }));
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

const sendBytes = (bytes: string | Buffer) => sendRaw(platform.stack.origin, bytes);
const path = '/v1/interview-template-list';
const withHeaders = (...headers: string[]) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers.join('\r\n')}\r\n\r\n`;

describe('malformed HTTP', () => {
  it('gets a 422 in JSON with a request id', () =>
    eachRow(
      [
        ['words', 'these are words\r\n\r\n'],
        ['an unknown version', `GET ${path} HTTP/9.9\r\nHost: x\r\n\r\n`],
        ['an unknown method', `FROBNICATE ${path} HTTP/1.1\r\nHost: x\r\n\r\n`],
        ['no Host', `GET ${path} HTTP/1.1\r\n\r\n`],
        ['two Hosts', withHeaders('Host: y')],
        ['two equal Hosts', withHeaders('Host: x')],
        ['a NUL in a header', withHeaders('X-A: a\0b')],
        ['a blank in a header name', withHeaders('X A: b')],
        ['a length that is no number', withHeaders('Content-Length: many')],
        ['two lengths', withHeaders('Content-Length: 5', 'Content-Length: 6')],
        ['a length and chunks', withHeaders('Content-Length: 5', 'Transfer-Encoding: chunked')],
        ['a malformed chunk', `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`],
        ['a header of 70 KiB', withHeaders(`X-Long: ${'x'.repeat(70_000)}`)],
        ['10,000 headers', withHeaders(...Array.from({ length: 10_000 }, (_, index) => `X-${index}: y`))],
        ['an address of 70 KiB', `GET ${path}?a=${'x'.repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
        ['TLS', Buffer.from('16030100f4010000f00303', 'hex')],
      ],
      async (what, bytes) => {
        const { status, headers, body } = await sendBytes(bytes);
        // The request with the malformed chunk also has a wrong method, so the reply may report either error.
        const expected = what === 'a malformed chunk' ? [405, 422] : [422];
        expect(expected).toContain(status);
        expect(headers['content-type']).toBe('application/json; charset=utf-8');
        expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
        const code = status === 405 ? 'method_not_allowed' : 'invalid_request';
        expect(JSON.parse(body)).toEqual({
          ...errorBody(code, undefined, expect.stringMatching(/^[A-Z][^\n]{5,200}$/)),
          request_id: headers['x-request-id'],
        });
      },
    ));
});

describe('unusual but valid HTTP', () => {
  it('is accepted', () =>
    eachRow(
      [
        withHeaders(authorization()),
        withHeaders(authorization(), 'Expect: the-unexpected'),
        withHeaders(authorization(), 'Connection: Upgrade', 'Upgrade: websocket'),
        `GET ${platform.stack.origin}${path} HTTP/1.1\r\nHost: x\r\n${authorization()}\r\n\r\n`,
        'GET /healthz HTTP/1.0\r\n\r\n',
      ],
      async (bytes) => expect((await sendBytes(bytes)).status).toBe(200),
    ));

  const authorization = () => `Authorization: bearer   ${platform.stack.tokens.merchant_owner}`;
});
