import { array, assert, asyncProperty, boolean, constantFrom, oneof, string } from 'fast-check';
import { openPosting } from '../../harness/webhooks/posting';
import { answer, bytes } from '../../harness/webhooks/receiver';
import type { Behaviour } from '../../harness/webhooks/receiver';

const { receiver, post, postTo } = openPosting();
const network = (error: string) => ({ outcome: 'network', error });

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
    // The first post opens a connection that the second post uses too. The peer address of the second post is
    // therefore known even on a slow machine.
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
    expect(receiver().calls).toEqual([]);
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
        receiver().behave = ({ socket }) => {
          socket.write(pieces.join(''), () => (isReset ? socket.resetAndDestroy() : socket.end()));
        };
        expect(['acknowledged', 'refused', 'network']).toContain((await post()).outcome);
        receiver().behave = answer(200, 'next');
        // The first of these posts may still use the old connection, which is about to end, so only the second one is
        // checked.
        const next = [await post(), await post()].map((result) => result.response_body);
        expect(next[1]).toBe('next');
      }),
      { numRuns: 200 },
    );
  });
});
