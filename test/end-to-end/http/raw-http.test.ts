import { errorBody } from '../../harness/platform/error-body';
import type { Platform } from '../../harness/platform/platform';
import { sendRaw } from '../../harness/platform/raw-http';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
});

const send = (bytes: string | Buffer) => sendRaw(platform.stack.origin, bytes);
const path = '/v1/interview-template-list';
const withHeaders = (...headers: string[]) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers.join('\r\n')}\r\n\r\n`;

describe('malformed HTTP', () => {
  it.each([
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
  ])('gets a 422 in JSON with a request id for %s', async (what, bytes) => {
    const { status, headers, body } = await send(bytes);
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
  });

  it('does not end the service', async () => {
    await send('x\r\n\r\n');
    expect((await send(`GET /healthz HTTP/1.0\r\n\r\n`)).status).toBe(200);
  });
});

describe('unusual but valid HTTP', () => {
  const authorization = () => `Authorization: bearer   ${platform.stack.tokens.merchant_owner}`;

  it('may have the authentication scheme in any case', async () => {
    expect((await send(withHeaders(authorization()))).status).toBe(200);
  });

  it('may contain an unknown expectation, which is ignored', async () => {
    expect((await send(withHeaders(authorization(), 'Expect: the-unexpected'))).status).toBe(200);
  });

  it('may ask for an upgrade, which is ignored', async () => {
    const { status } = await send(withHeaders(authorization(), 'Connection: Upgrade', 'Upgrade: websocket'));
    expect(status).toBe(200);
  });

  it('gets a 422 for two Idempotency-Key headers, but not for one with a comma', async () => {
    const body = JSON.stringify({
      position_id: platform.stack.ids.active_interview,
      name: 'Backend engineer',
    });
    const post = (...keys: string[]) =>
      send(
        [
          'POST /v1/job-interview-update HTTP/1.1',
          'Host: x',
          authorization(),
          `Content-Length: ${body.length}`,
          ...keys.map((key) => `Idempotency-Key: ${key}`),
          '',
          body,
        ].join('\r\n'),
      );
    const refused = await post('a', 'b');
    expect([refused.status, JSON.parse(refused.body)]).toEqual([
      422,
      errorBody('invalid_value', 'Idempotency-Key'),
    ]);
    expect((await post('a, b')).status).toBe(200);
  });

  it('may have an absolute URL', async () => {
    const { status } = await send(
      `GET ${platform.stack.origin}${path} HTTP/1.1\r\nHost: x\r\n${authorization()}\r\n\r\n`,
    );
    expect(status).toBe(200);
  });

  it('gets a 405 without an echo for TRACE', async () => {
    const { status, body } = await send(`TRACE ${path} HTTP/1.1\r\nHost: x\r\nX-Secret: hush\r\n\r\n`);
    expect(status).toBe(405);
    expect(body).not.toContain('hush');
  });
});
