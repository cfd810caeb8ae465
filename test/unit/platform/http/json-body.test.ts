import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import express from 'express';
import { jsonBodyReader } from '../../../../api/platform/http/read-body';
import { eachRow } from '../../../harness/each-row';
import { errorBody } from '../../../harness/platform/error-body';
import { serve } from '../../../harness/platform/serve';

const limitBytes = 1_048_576;
const app = express();
const read = jsonBodyReader(limitBytes);
app.post('/', async (request, response) => {
  const { input, error } = await read(request, response);
  response.setHeader('x-request-id', 'a-call-of-the-tests');
  if (error) throw error;
  response.json(input);
});
let origin: string;
beforeAll(async () => {
  origin = await serve(app);
});

/** Returns a body that is padded to this many bytes. */
const padded = (bytes = 0) =>
  JSON.stringify({ padding: 'x'.repeat(Math.max(0, bytes - '{"padding":""}'.length)) });
async function send(body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) {
  const response = await fetch(origin, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    duplex: 'half',
  });
  return { status: response.status, body: (await response.json()) as { error?: string; name?: string } };
}

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

  it('is read as JSON with any content type', () =>
    eachRow(
      ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=UTF-8', 'nonsense', ''],
      async (type) => {
        expect((await send(padded(), { 'content-type': type })).body).toEqual({ padding: '' });
      },
    ));

  it('gets a 422 with another charset than UTF-8', () =>
    eachRow(['klingon', 'utf-16', 'utf-16le', '"iso-8859-1"', 'us-ascii'], async (charset) => {
      const headers = { 'content-type': `application/json; charset=${charset}` };
      const { status, body } = await send(padded(), headers);
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
        const [head = '', tail = ''] = padded(200).split('xx');
        const { status, body } = await send(Buffer.concat([Buffer.from(head), bytes, Buffer.from(tail)]));
        expect([status, body]).toEqual([422, errorBody('invalid_encoding')]);
        expect((await send(padded())).status).toBe(200);
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
        expect((await send(compress(padded()), headers)).status).toBe(200);
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
    const unknown = await send(padded(), { 'content-encoding': 'zip' });
    expect([unknown.status, unknown.body.name]).toEqual([422, 'Content-Encoding']);
    const wrong = await send(padded(), { 'content-encoding': 'gzip' });
    expect([wrong.status, typeof wrong.body.error]).toEqual([422, 'string']);
  });

  it('is read with exactly 1 MiB, and gets a 413 with one byte more', async () => {
    expect(Buffer.byteLength(padded(limitBytes))).toBe(limitBytes);
    expect((await send(padded(limitBytes))).status).toBe(200);
    const { status, body } = await send(padded(limitBytes + 1));
    expect([status, body]).toEqual([
      413,
      errorBody('body_too_large', undefined, expect.stringContaining('1 MiB')),
    ]);
  });

  it('gets a 413 with more than 1 MiB, also without a length', async () => {
    const chunks = Array.from({ length: 17 }, () => Buffer.alloc(65_536, ' '));
    const { status, body } = await send(ReadableStream.from(chunks));
    expect([status, body]).toEqual([
      413,
      errorBody('body_too_large', undefined, expect.stringContaining('1 MiB')),
    ]);
  });
});
