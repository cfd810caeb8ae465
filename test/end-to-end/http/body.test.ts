import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { eachRow } from '../../harness/each-row';
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
  it('gets a 422 when it is no JSON object', () =>
    eachRow(
      [
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
      ],
      async (_what, rawBody) => {
        const { status, body } = await send(rawBody);
        expect([status, typeof body.error]).toEqual([422, 'string']);
        expect(body.error?.length).toBeLessThan(200);
      },
    ));

  it('gets the error of the body from a service key and an admin, too', () =>
    eachRow(['nothing', 'malformed', 'over 1 MiB'], async (what) => {
      const rawBody = what === 'nothing' ? '' : what === 'malformed' ? '{' : unchanged(limitBytes + 1);
      for (const token of [platform.stack.service_key, platform.stack.tokens.admin]) {
        const { status, body } = await send(rawBody, {}, { token });
        expect([status, body.name]).toEqual([what === 'over 1 MiB' ? 413 : 422, undefined]);
        expect(body.error).toMatch(/^The body /);
      }
    }));

  it('is read as JSON with any content type', () =>
    eachRow(
      ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=UTF-8', 'nonsense', ''],
      async (type) => {
        expect((await send(unchanged(), { 'content-type': type })).body).toMatchObject({
          updated_fields: [],
        });
      },
    ));

  it('gets a 422 with another charset than UTF-8', () =>
    eachRow(['klingon', 'utf-16', 'utf-16le', '"iso-8859-1"', 'us-ascii'], async (charset) => {
      const headers = { 'content-type': `application/json; charset=${charset}` };
      const { status, body } = await send(unchanged(), headers);
      expect([status, body.name]).toEqual([422, 'Content-Type']);
    }));

  it('gets a 422 when it contains bytes that are not UTF-8, and the next request is read', () =>
    eachRow(
      [
        ['a lone byte', Buffer.from('ff', 'hex')],
        ['a text cut short', Buffer.from('e282', 'hex')],
        ['half of a surrogate pair', Buffer.from('eda080', 'hex')],
        ['an overlong slash', Buffer.from('c0af', 'hex')],
      ],
      async (_what, bytes) => {
        const [head = '', tail = ''] = unchanged(200).split('xx');
        const { status, body } = await send(Buffer.concat([Buffer.from(head), bytes, Buffer.from(tail)]));
        expect([status, body]).toEqual([422, errorBody('invalid_encoding')]);
        expect((await send(unchanged())).status).toBe(200);
      },
    ));

  it('is read when compressed, and a decompression bomb gets a 413', () =>
    eachRow(
      [
        ['gzip', gzipSync],
        ['deflate', deflateSync],
        ['br', brotliCompressSync],
      ],
      async (encoding, compress) => {
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
      },
    ));

  it('gets a 422 with an unknown or a wrong encoding', async () => {
    const unknown = await send(unchanged(), { 'content-encoding': 'zip' });
    expect([unknown.status, unknown.body.name]).toEqual([422, 'Content-Encoding']);
    const wrong = await send(unchanged(), { 'content-encoding': 'gzip' });
    expect([wrong.status, typeof wrong.body.error]).toEqual([422, 'string']);
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

describe('a body of /auth/token', () => {
  it('returns 422 for a body that is no request', () =>
    eachRow(['', 'x', '{', '[]', 'null', '{"grant_type":5}', '{"a":"\\u0000"}'], async (body) => {
      const response = await fetch(`${platform.stack.origin}/auth/token`, { method: 'POST', body });
      expect(response.status).toBe(422);
    }));
});

describe('a reply', () => {
  it('is compressed for clients that accept it: pages, and assets of both origins', async () => {
    const { origin, portal_url } = platform.stack;
    const page = new URL('/docs/webhooks', origin);
    const assetOf = async (shown: URL) => {
      const [, asset = ''] = /"(\/[^"]+\.css)"/.exec(await (await fetch(shown)).text()) ?? [];
      return new URL(asset, shown);
    };
    const assets = [await assetOf(page), await assetOf(new URL('/nothing', portal_url))];
    for (const url of [page, ...assets])
      for (const encoding of ['br', 'gzip']) {
        const { headers } = await fetch(url, { headers: { 'accept-encoding': encoding } });
        expect([url.href, headers.get('content-encoding')]).toEqual([url.href, encoding]);
      }
  });
});
