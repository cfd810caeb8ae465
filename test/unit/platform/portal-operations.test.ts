import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { z } from 'zod';
import type { OperationDeps } from '../../../api/deps';
import { limitAddresses } from '../../../api/platform/http/address-limit';
import { ApiError } from '../../../api/platform/operation/api-error';
import { defineOperation, fileReply } from '../../../api/platform/operation/define-operation';
import { queryInteger, requiredText } from '../../../api/platform/operation/vocabulary';
import { createOperationsRouter } from '../../../api/platform/portal/operations-router';
import { limitsWithoutDatabase } from '../../harness/platform/limits';

const texts = { summary: 'A test', description: 'A test.' };
const operations = [
  defineOperation({
    ...texts,
    caller: 'candidate',
    name: 'a-text',
    method: 'POST',
    input: z.object({ text: requiredText(20_000).meta({ description: 'A text.' }) }),
    example: { text: 'a' },
    reply: z.object({ length: z.int(), link: z.string() }),
    replyExample: { length: 1, link: 'a' },
    statuses: [404],
    handle: async ({ input, caller, bytes }) => ({
      length: input.text.length + bytes.length,
      link: `${caller.enrolmentId} ${caller.generation}`,
    }),
  }),
  defineOperation({
    ...texts,
    caller: 'candidate',
    name: 'a-part',
    method: 'PUT',
    maxBytes: 1_024,
    callsPerMinute: 600,
    input: z.object({ part: queryInteger(1, 200) }),
    example: { part: '1' },
    reply: z.object({ part: z.int(), bytes: z.int() }),
    replyExample: { part: 1, bytes: 1 },
    statuses: [],
    handle: async ({ input, bytes }) => ({ part: input.part, bytes: bytes.length }),
  }),
  defineOperation({
    ...texts,
    caller: 'candidate',
    name: 'a-speech',
    method: 'GET',
    input: z.object({ text: z.string().optional() }),
    example: {},
    replyType: 'audio/mpeg',
    reply: fileReply,
    replyExample: Buffer.alloc(0),
    statuses: [204],
    handle: async ({ input: { text = 'sound' } }) => Buffer.from(text),
  }),
];

/**
 * Returns a token in the format that only this test uses: `<enrolment> <interview> <seconds until it expires>`,
 * encoded.
 */
const tokenOf = (enrolment: string, interview: string, seconds = 60) =>
  Buffer.from(`${enrolment} ${interview} ${seconds}`).toString('base64url');
const openInterviewLink = async (token: string) => {
  const [enrolmentId, interviewId = '', seconds] = Buffer.from(token, 'base64url').toString().split(' ');
  if (!enrolmentId?.startsWith('e')) return undefined;
  const expiresAt = new Date(Date.now() + Number(seconds) * 1_000);
  return {
    enrolmentId,
    interviewId,
    generation: 1,
    isTest: false,
    expiresAt,
    isExpired: Number(seconds) < 0,
  };
};

let server: Server;
/** The ids of the enrolments for which the database was queried. */
let asked: string[];
beforeEach(async () => {
  asked = [];
  const app = express();
  const createLimit = limitsWithoutDatabase();
  const log = { child: () => log, info: () => undefined, error: () => undefined, warn: () => undefined };
  app.use((request, _response, next) => {
    request.log = log as never;
    next();
  });
  app.use(
    createOperationsRouter({ links: { openInterviewLink } } as unknown as OperationDeps, {
      operations,
      addressLimit: limitAddresses(createLimit, 20),
      createLimit,
      isHttps: false,
      portalOrigin: 'http://portal.example',
      isLimited: true,
      prove: async (link) => {
        asked.push(link.enrolmentId);
        if (link.enrolmentId === 'e-unknown')
          throw new ApiError('token_revoked', 'This link does not exist.');
      },
    }),
  );
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

type Init = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };
const call = async (path: string, init: Init = {}, token: string | null = tokenOf('e1', 'i1')) => {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const response = await fetch(origin + path, {
    ...init,
    headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...init.headers },
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  const body: unknown = isJson ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, body };
};
const post = (body: string, more: Init = {}, token?: string | null) =>
  call('/portal/v1/a-text', { method: 'POST', body, ...more }, token);

describe('an operation of the portal', () => {
  it('gets its input and the link, and its reply is not stored by browsers', async () => {
    const { status, headers, body } = await post('{"text":"abc"}');
    expect([status, body]).toEqual([200, { length: 3, link: 'e1 1' }]);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('takes the bytes of a PUT, with its input in the query', async () => {
    const put = (query: string, bytes: Buffer) =>
      call(`/portal/v1/a-part${query}`, { method: 'PUT', body: new Uint8Array(bytes) });
    expect((await put('?part=3', Buffer.from([0, 255, 0]))).body).toEqual({ part: 3, bytes: 3 });
    expect(await put('?part=3', Buffer.alloc(1_025))).toMatchObject({
      status: 413,
      body: { code: 'body_too_large' },
    });
    expect(await put('?part=0', Buffer.alloc(1))).toMatchObject({ status: 422, body: { name: 'part' } });
    expect(await put('?part=1&part=2', Buffer.alloc(1))).toMatchObject({
      status: 422,
      body: { name: 'part' },
    });
  });

  it('can reply with nothing, and with a file', async () => {
    expect(await call('/portal/v1/a-speech?text=')).toMatchObject({ status: 204, body: '' });
    const speech = await call('/portal/v1/a-speech');
    expect([speech.status, speech.headers.get('content-type'), speech.body]).toEqual([
      200,
      'audio/mpeg',
      'sound',
    ]);
  });

  it('rejects other methods and unknown names, as JSON', async () => {
    const wrong = await call('/portal/v1/a-part', { method: 'POST' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'PUT, OPTIONS']);
    for (const path of ['/portal/v1/nothing', '/portal/v1', '/portal/x', '/portal/v1/a-text/'])
      expect(await call(path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('reports malformed input with the name of the field', async () => {
    expect(await post('{"text":"a\\u0000"}')).toMatchObject({ status: 422, body: { name: 'text' } });
    expect(await post('{"text":"\\ud800"}')).toMatchObject({ status: 422, body: { name: 'text' } });
    expect(await post(`{"text":"${'x'.repeat(20_001)}"}`)).toMatchObject({
      status: 422,
      body: { name: 'text', code: 'too_long' },
    });
    expect((await post(`{"text":"${'\\ud83d\\ude00'.repeat(10_000)}"}`)).status).toBe(200);
    expect((await post(`{"text":"${'x'.repeat(262_144)}"}`)).status).toBe(413);
    expect(await post('[]')).toMatchObject({ status: 422, body: { code: 'invalid_json' } });
    expect(await post('')).toMatchObject({ status: 422, body: { code: 'invalid_json' } });
  });

  it('names what it ignores, also merchant_id', async () => {
    const { headers } = await call('/portal/v1/a-text?a=1', {
      method: 'POST',
      body: '{"text":"a","merchant_id":"b","typo":1}',
    });
    expect(headers.get('x-ignored-fields')).toBe('?a, merchant_id, typo');
  });
});

describe('the credential', () => {
  it.each([
    ['missing', null, 'token_missing'],
    ['not ours', 'abc', 'token_malformed'],
    ['unknown to the database', tokenOf('e-unknown', 'i1'), 'token_revoked'],
  ])('is a 401 if it is %s', async (_what, token, code) => {
    const { status, headers, body } = await post('{"text":', {}, token);
    expect([status, body]).toMatchObject([401, { code }]);
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it('is asked about once in ten minutes, unless it has expired or the input is wrong', async () => {
    for (let index = 0; index < 3; index++) await post('{"text":"a"}');
    expect(asked).toEqual(['e1']);
    await post('{}');
    expect(asked).toEqual(['e1', 'e1']);
    for (let index = 0; index < 2; index++) await post('{"text":"a"}', {}, tokenOf('e2', 'i1', -1));
    expect(asked).toEqual(['e1', 'e1', 'e2', 'e2']);
  });

  it('can be in the cookie of the interview that a script names', async () => {
    const cookie = `interview-i1=${tokenOf('e1', 'i1')}; interview-i2=x; interview-i2=${tokenOf('e2', 'i2')}`;
    const by = (headers: Record<string, string>) => post('{"text":"a"}', { headers }, null);
    expect((await by({ cookie, 'x-interview-id': 'I2' })).body).toMatchObject({ link: 'e2 1' });
    expect((await by({ cookie, 'x-interview-id': 'i3' })).status).toBe(401);
    expect((await by({ cookie })).status).toBe(401);
    expect((await by({ cookie: `interview-i2=${tokenOf('e1', 'i1')}`, 'x-interview-id': 'i2' })).status).toBe(
      401,
    );
  });

  it('costs the address two points while it proves nothing', async () => {
    for (let index = 0; index < 10; index++)
      expect((await post('', {}, tokenOf('e-unknown', 'i1'))).status).toBe(401);
    expect((await post('', {}, tokenOf('e-unknown', 'i1'))).status).toBe(429);
    expect((await post('', {}, 'made-up')).status).toBe(429);
  });
});

it('limits the calls of a link, those with files by themselves', async () => {
  const statuses = await Promise.all(Array.from({ length: 61 }, () => post('{"text":"a"}')));
  expect(statuses.filter(({ status }) => status === 200)).toHaveLength(60);
  expect(await call('/portal/v1/a-speech')).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  const parts = await call('/portal/v1/a-part?part=1', { method: 'PUT' });
  expect([parts.status, parts.headers.get('ratelimit-limit')]).toEqual([200, '600']);
  expect((await post('{"text":"a"}', {}, tokenOf('e2', 'i1'))).status).toBe(200);
});
