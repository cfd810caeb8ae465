import { once } from 'node:events';
import { createServer } from 'node:net';
import { openPosting, postedHeaders } from '../../harness/webhooks/posting';
import { answer, bytes, startReceiver } from '../../harness/webhooks/receiver';

const { receiver, post, postTo } = openPosting();

describe('an answer', () => {
  it('is acknowledged with a 200, and recorded completely', async () => {
    const result = await post();
    expect(result).toEqual({
      outcome: 'acknowledged',
      status: 200,
      response_headers: { 'content-length': '11', 'content-type': 'application/json' },
      response_body: '{"ok":true}',
      is_truncated: false,
      peer_address: '127.0.0.1',
      error: null,
      ms: {
        dns: null,
        connect: expect.any(Number),
        tls: null,
        first_byte: expect.any(Number),
        total: expect.any(Number),
      },
      retry_after_ms: null,
    });
    const [call] = receiver().calls;
    expect(call).toMatchObject({ start: 'POST /hooks?a=%20b HTTP/1.1', body: '{"id":"ä"}' });
    expect(call?.headers).toEqual([
      'host',
      `127.0.0.1:${receiver().port}`,
      'connection',
      'keep-alive',
      ...Object.entries(postedHeaders).flat(),
      'content-length',
      '11',
    ]);
  });

  it('is recorded with an empty body when it has none', async () => {
    expect(await postTo(bytes('HTTP/1.1 204 No Content\r\n\r\n'))).toMatchObject({
      outcome: 'acknowledged',
      status: 204,
      response_body: '',
      response_headers: {},
    });
  });

  it.each([500, 404, 410, 400, 304, 999])('is refused with a %i', async (status) => {
    expect(await postTo(answer(status))).toMatchObject({ outcome: 'refused', status, error: null });
  });

  it.each([301, 302, 307, 308])('is refused and not followed with a %i', async (status) => {
    const other = await startReceiver(answer(200));
    expect(await postTo(answer(status, '', { location: `${other.url}/` }))).toMatchObject({
      outcome: 'refused',
      status,
      response_headers: { location: `${other.url}/` },
    });
    expect(other.connections).toBe(0);
    await other.close();
  });

  it('is complete when the connection ends without a content length', async () => {
    const result = await postTo(({ socket }) =>
      socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nfine'),
    );
    expect(result).toMatchObject({ outcome: 'acknowledged', response_body: 'fine' });
  });

  it('has its final status when it comes in chunks after early hints', async () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
    const rest =
      'HTTP/1.1 202 Accepted\r\ntransfer-encoding: chunked\r\nx-a: 1\r\nX-A: 2\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n';
    expect(await postTo(bytes(hints + rest))).toMatchObject({
      outcome: 'acknowledged',
      status: 202,
      response_headers: { 'transfer-encoding': 'chunked', 'x-a': '1, 2' },
      response_body: 'abc',
    });
  });

  it('counts when it arrives before the receiver has read the request body', async () => {
    const early = createServer((socket) =>
      socket
        .on('error', () => socket.destroy())
        .once('data', () => {
          socket.pause();
          socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n');
        }),
    ).listen(0, '127.0.0.1');
    await once(early, 'listening');
    const address = early.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    expect(await post({ url, body: 'x'.repeat(50_000_000) })).toMatchObject({
      outcome: 'refused',
      status: 413,
    });
    early.close();
  });
});

describe('Retry-After', () => {
  it.each([
    [429, '120', 120_000],
    [503, '1.5', 1_500],
    [503, 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
    [429, '9e99', 604_800_000],
    [429, 'soon', null],
    [429, '', null],
    [500, '120', null],
    [200, '120', null],
  ])('is read in a %i with %j as %j ms', async (status, value, expected) => {
    const result = await postTo(answer(status, '', { 'retry-after': value }));
    expect(result.retry_after_ms).toBe(expected);
  });

  it('is read as the time until a date', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const { retry_after_ms } = await postTo(answer(429, '', { 'retry-after': date }));
    expect(retry_after_ms).toBeGreaterThan(3_000_000);
    expect(retry_after_ms).toBeLessThanOrEqual(3_600_000);
  });
});

describe('the recorded part of an answer', () => {
  it.each([
    ['16 KiB', 'a'.repeat(16_384), 'a'.repeat(16_384), false],
    ['a byte more', 'a'.repeat(16_385), 'a'.repeat(16_384), true],
    ['a character across the limit', `${'a'.repeat(16_383)}ä`, 'a'.repeat(16_383), true],
    ['characters of three bytes', '€'.repeat(6_000), '€'.repeat(5_461), true],
    ['NULs', 'a\0b\0', 'a\ufffdb\ufffd', false],
    ['many NULs', '\0'.repeat(10_000), '\ufffd'.repeat(5_461), true],
  ])('has at most 16 KiB of text: %s', async (_, sent, kept, is_truncated) => {
    const result = await postTo(answer(200, sent));
    expect(result).toMatchObject({ outcome: 'acknowledged', is_truncated });
    expect(result.response_body === kept).toBe(true);
  });

  it('has at most 16 KiB of replacement characters for bytes that are not text', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n';
    const { response_body, is_truncated } = await postTo(
      bytes(Buffer.concat([Buffer.from(head), Buffer.alloc(9_000, 0xff)])),
    );
    expect([response_body, is_truncated]).toEqual(['\ufffd'.repeat(5_461), true]);
  });

  it('ends an endless answer, whose connection is destroyed', async () => {
    const closed = new Promise<void>((resolve) => {
      receiver().behave = ({ socket }) => {
        socket.on('close', () => resolve());
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        const more = () => {
          while (!socket.destroyed && socket.write(`400\r\n${'x'.repeat(1_024)}\r\n`));
        };
        socket.on('drain', more);
        more();
      };
    });
    expect(await post()).toMatchObject({
      outcome: 'acknowledged',
      is_truncated: true,
      response_body: 'x'.repeat(16_384),
    });
    await closed;
  });

  it('is cut off for 10 MiB with a 500, which is refused', async () => {
    expect(await postTo(answer(500, 'y'.repeat(10_485_760)))).toMatchObject({
      outcome: 'refused',
      status: 500,
      is_truncated: true,
    });
  });

  it('has the first 8 KiB of many headers', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`x-${index}`, 'v'.repeat(1_000)]),
    );
    const { response_headers } = await postTo(answer(200, '', many));
    expect(Object.keys(response_headers ?? {})).toEqual(['content-length', ...Object.keys(many).slice(0, 8)]);
  });

  it('has headers with names of Object.prototype', async () => {
    expect(
      await postTo(bytes('HTTP/1.1 200 OK\r\nconstructor: a\r\ntoString: b\r\ncontent-length: 0\r\n\r\n')),
    ).toMatchObject({
      outcome: 'acknowledged',
      response_headers: { constructor: 'a', tostring: 'b' },
    });
  });
});
