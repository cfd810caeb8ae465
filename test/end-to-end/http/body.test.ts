import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { errorBody } from '../../harness/platform/error-body';
import type { CallOptions, Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
});

const limitBytes = 1_048_576;
const operation = 'job-interview-update';

/** Returns a body for an update that changes nothing. The body is padded to this many bytes. */
const unchanged = (bytes = 0) => {
  const body = { position_id: platform.stack.ids.active_interview, name: 'Backend engineer', padding: '' };
  return JSON.stringify({ ...body, padding: 'x'.repeat(Math.max(0, bytes - JSON.stringify(body).length)) });
};
const send = async (rawBody: string | Buffer, headers: Record<string, string> = {}, more: CallOptions = {}) =>
  platform.call(operation, { rawBody, headers, ...more });

describe('a body', () => {
  it.each([
    ['nothing', ''],
    ['blanks', ' \n '],
    ['half an object', '{"position_id": '],
    ['two objects', '{}{}'],
    ['single quotes', "{'a': 1}"],
    ['a list', '[]'],
    ['a text', '"text"'],
    ['null', 'null'],
    ['a number', '5'],
    ['NaN', 'NaN'],
    ['a list of 200,000 levels', '['.repeat(200_000) + ']'.repeat(200_000)],
    ['an object of 100,000 levels', '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)],
  ])('gets a 422 when it is %s', async (_what, rawBody) => {
    const { status, body } = await send(rawBody);
    expect([status, typeof body.error]).toEqual([422, 'string']);
    expect(body.error?.length).toBeLessThan(200);
  });

  it.each(['nothing', 'malformed', 'over 1 MiB'])(
    'gets the error of the body from a service key and an admin, too, when it is %s',
    async (what) => {
      const rawBody = what === 'nothing' ? '' : what === 'malformed' ? '{' : unchanged(limitBytes + 1);
      for (const token of [platform.stack.service_key, platform.stack.tokens.admin]) {
        const { status, body } = await send(rawBody, {}, { token });
        expect([status, body.name]).toEqual([what === 'over 1 MiB' ? 413 : 422, undefined]);
        expect(body.error).toMatch(/^The body /);
      }
    },
  );

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=UTF-8',
    'nonsense',
    '',
  ])('is read as JSON with the content type %j', async (type) => {
    expect((await send(unchanged(), { 'content-type': type })).body).toMatchObject({ updated_fields: [] });
  });

  it('is read with a byte order mark', async () => {
    expect((await send(`\ufeff${unchanged()}`)).status).toBe(200);
  });

  it.each(['klingon', 'utf-16', 'utf-16le', '"iso-8859-1"', 'us-ascii'])(
    'gets a 422 with the charset %s',
    async (charset) => {
      const headers = { 'content-type': `application/json; charset=${charset}` };
      const { status, body } = await send(unchanged(), headers);
      expect([status, body.name]).toEqual([422, 'Content-Type']);
    },
  );

  it.each([
    ['a lone byte', Buffer.from('ff', 'hex')],
    ['a text cut short', Buffer.from('e282', 'hex')],
    ['half of a surrogate pair', Buffer.from('eda080', 'hex')],
    ['an overlong slash', Buffer.from('c0af', 'hex')],
  ])('gets a 422 when it contains %s, and the next request is read', async (_what, bytes) => {
    const [head = '', tail = ''] = unchanged(200).split('xx');
    const { status, body } = await send(Buffer.concat([Buffer.from(head), bytes, Buffer.from(tail)]));
    expect([status, body]).toEqual([422, errorBody('invalid_encoding')]);
    expect((await send(unchanged())).status).toBe(200);
  });

  it('gets a 422 with the field for a number that is not finite, also with an Idempotency-Key', async () => {
    const rawBody = unchanged().replace('"padding":""', '"padding":{"deep":[1e400]}');
    const both: Record<string, string>[] = [{}, { 'idempotency-key': 'not-finite' }];
    for (const headers of both) {
      const { status, body } = await send(rawBody, headers);
      expect([status, body]).toEqual([422, errorBody('too_large', 'padding.deep[0]')]);
    }
  });

  it('is the same request with -0 as with 0', async () => {
    const withNumber = (number: string) => unchanged().replace('"padding":""', `"padding":${number}`);
    const headers = { 'idempotency-key': 'minus-nothing' };
    expect((await send(withNumber('-0'), headers)).status).toBe(200);
    const again = await send(withNumber('0'), headers);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  });

  it('gets a 422 with an unknown encoding', async () => {
    const { status, body } = await send(unchanged(), { 'content-encoding': 'zip' });
    expect([status, body.name]).toEqual([422, 'Content-Encoding']);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('is read when compressed by %s, and a decompression bomb gets a 413', async (encoding, compress) => {
    const headers = { 'content-encoding': encoding };
    expect((await send(compress(unchanged()), headers)).status).toBe(200);
    // Compressing a larger bomb would block this process for too long: the API closes a connection after a minute.
    const bomb = compress(`{"a":"${'x'.repeat(20 * limitBytes)}"}`);
    expect(bomb.length).toBeLessThan(limitBytes);
    const { status, body } = await send(bomb, headers);
    expect([status, body]).toEqual([
      413,
      errorBody('body_too_large', undefined, expect.stringContaining('1 MiB')),
    ]);
  });

  it('gets a 422 when it is not gzip although its header says so', async () => {
    const { status, body } = await send(unchanged(), { 'content-encoding': 'gzip' });
    expect([status, typeof body.error]).toEqual([422, 'string']);
  });

  it('is read with exactly 1 MiB, and gets a 413 with one byte more', async () => {
    expect(Buffer.byteLength(unchanged(limitBytes))).toBe(limitBytes);
    expect((await send(unchanged(limitBytes))).status).toBe(200);
    const { status, body } = await send(unchanged(limitBytes + 1));
    expect([status, body]).toEqual([
      413,
      errorBody('body_too_large', undefined, expect.stringContaining('1 MiB')),
    ]);
  });

  it('gets a 413 with more than 1 MiB, also without a length', async () => {
    const chunks = Array.from({ length: 17 }, () => Buffer.alloc(65_536, ' '));
    const response = await fetch(`${platform.stack.base_url}/${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${platform.stack.tokens.merchant_owner}` },
      body: ReadableStream.from(chunks),
      duplex: 'half',
    });
    expect([response.status, await response.json()]).toEqual([
      413,
      errorBody('body_too_large', undefined, expect.stringContaining('1 MiB')),
    ]);
  });
});

describe('/auth/token', () => {
  it.each(['', 'x', '{', '[]', 'null', '{"grant_type":5}', '{"a":"\\u0000"}'])(
    'returns 422 for the body %j',
    async (body) => {
      const response = await fetch(`${platform.stack.origin}/auth/token`, { method: 'POST', body });
      expect(response.status).toBe(422);
    },
  );

  it('returns 422 for bytes that are not UTF-8 and for another charset', async () => {
    const ask = async (body: Buffer, type: string) => {
      const headers = { 'content-type': type };
      const response = await fetch(`${platform.stack.origin}/auth/token`, { method: 'POST', body, headers });
      return [response.status, await response.json()];
    };
    const form = 'application/x-www-form-urlencoded';
    expect(await ask(Buffer.from('ff', 'hex'), form)).toEqual([422, errorBody('invalid_encoding')]);
    expect(await ask(Buffer.from('a=b'), `${form}; charset=latin1`)).toEqual([
      422,
      errorBody('invalid_encoding', 'Content-Type'),
    ]);
  });

  it('returns 413 for a body over its limit', async () => {
    const response = await fetch(`${platform.stack.origin}/auth/token`, {
      method: 'POST',
      body: 'x'.repeat(20_000),
    });
    expect([response.status, await response.json()]).toEqual([
      413,
      errorBody('body_too_large', undefined, expect.stringContaining('16 KiB')),
    ]);
  });
});
