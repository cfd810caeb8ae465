import { array, assert, asyncProperty, boolean, constantFrom, oneof, string } from 'fast-check';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { readRange } from '../../../api/platform/text/ip-address';
import { createWebhookPost } from '../../../activities/providers/webhook-post';
import type { PostRequest } from '../../../activities/providers/webhook-attempt';
import type { WebhookPost } from '../../../activities/providers/webhook-post';
import { answer, bytes, startReceiver } from '../../harness/webhooks/receiver';
import type { Behaviour, Receiver } from '../../harness/webhooks/receiver';

const allowedRanges = [readRange('127.0.0.0/8')].filter((range) => range !== undefined);
const headers = { 'content-type': 'application/json', 'X-Api-Key': 'key-secret', 'webhook-id': 'd1' };

let receiver: Receiver;
let webhooks: WebhookPost;
beforeEach(async () => {
  receiver = await startReceiver(answer(200, '{"ok":true}', { 'content-type': 'application/json' }));
  webhooks = createWebhookPost({ allowedRanges, allowedPorts: 'any', allowHttp: true });
});
afterEach(async () => {
  await webhooks.close();
  await receiver.close();
});

const post = (changes: Partial<PostRequest> = {}) =>
  webhooks.post({
    url: `${receiver.url}/hooks?a=%20b`,
    headers,
    body: '{"id":"ä"}',
    timeoutMs: 20_000,
    ...changes,
  });
const postTo = async (behave: Behaviour, changes: Partial<PostRequest> = {}) => {
  receiver.behave = behave;
  const result = await post(changes);
  // The record contains nothing of what was sent.
  expect(JSON.stringify(result)).not.toContain('secret');
  return result;
};
const network = (error: string) => ({ outcome: 'network', error });

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
    const [call] = receiver.calls;
    expect(call).toMatchObject({ start: 'POST /hooks?a=%20b HTTP/1.1', body: '{"id":"ä"}' });
    expect(call?.headers).toEqual([
      'host',
      `127.0.0.1:${receiver.port}`,
      'connection',
      'keep-alive',
      ...Object.entries(headers).flat(),
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
      receiver.behave = ({ socket }) => {
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

describe('an attempt without a valid answer', () => {
  const closedEarly = 'the connection was closed before the end of the response';
  it.each<[string, Behaviour, object]>([
    ['a reset', ({ socket }) => socket.resetAndDestroy(), network('the connection was reset')],
    [
      'the end of the connection',
      ({ socket }) => socket.end(),
      network('the connection was closed without a response'),
    ],
    [
      'half an answer',
      ({ socket }) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'),
      { ...network(closedEarly), status: 200, response_body: 'half' },
    ],
    [
      'half an answer in chunks, the last of its connection',
      ({ socket }) =>
        socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n5\r\nha'),
      { ...network(closedEarly), status: 200 },
    ],
    [
      'half an answer in chunks',
      ({ socket }) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nha'),
      { ...network(closedEarly), status: 200 },
    ],
    [
      'half a status line',
      ({ socket }) => socket.end('HTTP/1.1 2'),
      network('the connection was closed without a response'),
    ],
    [
      'headers of 20 KiB',
      answer(200, '', { 'x-a': 'v'.repeat(20_480) }),
      { ...network('the headers of the response are too large'), status: null },
    ],
  ])('ends in a network outcome: %s', async (_, behave, expected) => {
    expect(await postTo(behave)).toMatchObject({ retry_after_ms: null, ...expected });
  });

  it.each([
    'HELLO\r\n\r\n',
    'HTTP/1.1\r\n\r\n',
    'HTTP/1.1 OK\r\n\r\n',
    'HTTP/1.1 20 OK\r\n\r\n',
    'HTTP/1.1 2000 OK\r\ncontent-length: 0\r\n\r\n',
    'HTTP/1.1 000 No\r\ncontent-length: 0\r\n\r\n',
    'HTTP/9.9 200 OK\r\ncontent-length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nno header\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: abc\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    '\u0000\u0001\u0002',
    '220 mail.example.com ESMTP\r\n',
  ])('ends in a network outcome when the response is not valid HTTP/1.1: %j', async (text) => {
    expect(await postTo(bytes(text))).toMatchObject(network('the response is not valid HTTP/1.1'));
  });

  it('ends in a timeout when the receiver is silent', async () => {
    // The first post opens a connection that is kept, so the peer of the second one is known even on a slow machine.
    await post();
    expect(await postTo(() => {}, { timeoutMs: 2_000 })).toMatchObject({
      outcome: 'timeout',
      error: 'no response within 2 s',
      status: null,
      response_body: null,
      response_headers: null,
      peer_address: '127.0.0.1',
      ms: { first_byte: null },
    });
  });

  it('ends in a timeout when bytes arrive slowly, whatever the status', async () => {
    const drip: Behaviour = ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10000\r\n\r\nx');
      const timer = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(timer));
    };
    expect(await postTo(drip, { timeoutMs: 2_000 })).toMatchObject({
      outcome: 'timeout',
      error: 'the response did not end within 2 s',
      status: 200,
      response_body: expect.stringMatching(/^x+$/),
    });
  });

  it('ends in a timeout when statuses of 1xx do not end', async () => {
    const hints: Behaviour = ({ socket }) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    };
    expect(await postTo(hints, { timeoutMs: 300 })).toMatchObject({ outcome: 'timeout', status: null });
  });

  it('ends in a network outcome when the port is closed', async () => {
    expect(await post({ url: 'http://127.0.0.1:1/' })).toMatchObject({
      ...network('the connection was refused'),
      peer_address: null,
    });
  });

  it('ends in a network outcome and sends nothing when a header cannot be written', async () => {
    expect(await post({ headers: { 'x-a': 'a\r\nx-evil: 1' } })).toMatchObject(
      network('the request cannot be sent: a header or the path is not valid'),
    );
    expect(receiver.calls).toEqual([]);
  });
});

describe('random bytes', () => {
  const piece = oneof(
    constantFrom(
      'HTTP/1.1 ',
      '200 OK',
      '204 No Content',
      '103 Early',
      '000',
      '\r\n',
      '\r\n\r\n',
      'content-length: 5',
      'content-length: -1',
      'transfer-encoding: chunked',
      'connection: close',
      'connection: upgrade\r\nupgrade: h2c',
      'keep-alive: timeout=0',
      'retry-after: 9',
      '5\r\nhello\r\n0\r\n\r\n',
      'hello',
    ),
    string({ unit: 'binary', maxLength: 6 }),
  );

  it('end in an outcome, and later posts arrive', async () => {
    await assert(
      asyncProperty(array(piece, { maxLength: 12 }), boolean(), async (pieces, isReset) => {
        receiver.behave = ({ socket }) => {
          socket.write(pieces.join(''), () => (isReset ? socket.resetAndDestroy() : socket.end()));
        };
        expect(['acknowledged', 'refused', 'network']).toContain((await post()).outcome);
        receiver.behave = answer(200, 'next');
        // The first post may still use the connection that is about to end.
        const next = [await post(), await post()].map((result) => result.response_body);
        expect(next[1]).toBe('next');
      }),
      { numRuns: 200 },
    );
  });
});
