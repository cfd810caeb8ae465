import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { array, assert, asyncProperty, boolean, constantFrom, oneof, string } from 'fast-check';
import { createGuardedConnector } from '../../../activities/providers/address-guard';
import type { PostRequest } from '../../../activities/providers/webhook-attempt';
import { createWebhookPost } from '../../../activities/providers/webhook-post';
import type { WebhookPost } from '../../../activities/providers/webhook-post';
import { readRange } from '../../../api/platform/text/ip-address';
import { startNameServer } from '../../../local/fakes/name-server';
import type { NameAnswer, NameServer, QuestionType } from '../../../local/fakes/name-server';
import { waitFor } from '../../harness/wait-for';
import { createAuthority } from '../../harness/webhooks/certificates';
import type { KeyAndCertificate } from '../../harness/webhooks/certificates';
import { answer, bytes, startReceiver } from '../../harness/webhooks/receiver';
import type { Behaviour, Receiver } from '../../harness/webhooks/receiver';

const allowedRanges = [readRange('127.0.0.0/8')].filter((range) => range !== undefined);
const postedHeaders = {
  'content-type': 'application/json',
  'X-Api-Key': 'key-secret',
  'webhook-id': 'd1',
};

/**
 * Starts a receiver before each test, which responds with 200, and returns functions that post webhooks to this
 * receiver.
 */
function openPosting() {
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
      headers: postedHeaders,
      body: '{"id":"ä"}',
      timeoutMs: 20_000,
      ...changes,
    });
  return {
    receiver: () => receiver,
    post,
    /**
     * Posts to a receiver that responds with `behave`, and checks that the result does not contain the word `secret`.
     * The headers of the request contain this word.
     */
    postTo: async (behave: Behaviour, changes: Partial<PostRequest> = {}) => {
      receiver.behave = behave;
      const result = await post(changes);
      expect(JSON.stringify(result)).not.toContain('secret');
      return result;
    },
  };
}

describe('webhook post', () => {
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

    it('is refused with any other status, and not followed', async () => {
      const other = await startReceiver(answer(200));
      const location = `${other.url}/`;
      const statuses = [500, 404, 410, 400, 304, 999, 301, 302, 307, 308];
      const results = [];
      for (const status of statuses) results.push(await postTo(answer(status, '', { location })));
      expect(results).toMatchObject(
        statuses.map((status) => ({
          outcome: 'refused',
          status,
          error: null,
          response_headers: { location },
        })),
      );
      expect(other.connections).toBe(0);
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
      [429, 'soon', null],
      [500, '120', null],
    ])('is read in a %i with %j as %j ms', async (status, value, expected) => {
      const result = await postTo(answer(status, '', { 'retry-after': value }));
      expect(result.retry_after_ms).toBe(expected);
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
      expect(Object.keys(response_headers ?? {})).toEqual([
        'content-length',
        ...Object.keys(many).slice(0, 8),
      ]);
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
});

describe('webhook post failures', () => {
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

    it('ends in a network outcome when the response is not valid HTTP/1.1', async () => {
      const texts = [
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
      ];
      for (const text of texts)
        expect([text, await postTo(bytes(text))]).toMatchObject([
          text,
          network('the response is not valid HTTP/1.1'),
        ]);
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
        { numRuns: 60 },
      );
    });
  });
});

describe('webhook addresses', () => {
  const rangesOf = (...texts: string[]) => texts.map(readRange).filter((range) => range !== undefined);
  /** These tests treat 127.0.0.1 as a public address and all other loopback addresses as private. */
  const fake = rangesOf('127.0.0.1');

  let names: NameServer;
  let asked: string[];
  let tell: (type: QuestionType, name: string) => NameAnswer | Promise<NameAnswer>;
  let receiver: Receiver;
  let webhooks: WebhookPost;
  beforeAll(async () => {
    names = await startNameServer((name, type) => {
      asked.push(`${type} ${name}`);
      return tell(type, name);
    });
  });
  afterAll(() => names.close());
  beforeEach(async () => {
    asked = [];
    tell = (type) => (type === 'A' ? ['127.0.0.1'] : []);
    receiver = await startReceiver(answer(200));
    webhooks = open();
  });
  afterEach(async () => {});

  const open = (allowedRanges = fake) =>
    createWebhookPost({ allowedRanges, allowedPorts: 'any', allowHttp: true, nameServers: [names.address] });
  const post = (host = 'receiver.test', changes: Partial<PostRequest> = {}, sender = webhooks) =>
    sender.post({
      url: `http://${host}:${receiver.port}/`,
      headers: {},
      body: '{}',
      timeoutMs: 20_000,
      ...changes,
    });
  const blocked = (address: string) => ({
    outcome: 'blocked_address',
    error: `the address ${address} is not public`,
    status: null,
    peer_address: null,
    ms: { connect: null, first_byte: null },
  });

  describe('a host name', () => {
    it('is resolved to a public address, which is called by the name', async () => {
      expect(await post()).toMatchObject({
        outcome: 'acknowledged',
        peer_address: '127.0.0.1',
        ms: { dns: expect.any(Number), connect: expect.any(Number) },
      });
      expect(receiver.calls[0]?.headers.slice(0, 2)).toEqual(['host', `receiver.test:${receiver.port}`]);
      expect(asked.sort()).toEqual(['A receiver.test', 'AAAA receiver.test']);
    });

    it.each<[string, string[], string[], string]>([
      ['a private address', ['127.0.0.2'], [], '127.0.0.2'],
      ['a public one and a private one', ['127.0.0.1', '10.0.0.1'], [], '10.0.0.1'],
      ['a public IPv4 and a private IPv6', ['127.0.0.1'], ['fd00::1'], 'fd00::1'],
      ['a private one in NAT64 form', ['127.0.0.1'], ['64:ff9b::a00:1'], '64:ff9b::a00:1'],
    ])('is blocked without a connection when it has %s', async (_, a, aaaa, address) => {
      tell = (type) => (type === 'A' ? a : aaaa);
      expect(await post()).toMatchObject(blocked(address));
      expect(receiver.connections).toBe(0);
    });

    it('is validated again for each new connection when its addresses change', async () => {
      const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1']];
      tell = (type) => (type === 'A' ? (answers.shift() ?? ['10.0.0.1']) : []);
      receiver.behave = answer(200, '', { connection: 'close' });
      expect([await post(), await post(), await post(), await post()]).toMatchObject([
        { outcome: 'acknowledged', peer_address: '127.0.0.1' },
        blocked('127.0.0.2'),
        { outcome: 'acknowledged', peer_address: '127.0.0.1' },
        blocked('10.0.0.1'),
      ]);
      // Each of the four connections asks the name server once. A second query could return an address that was not
      // validated.
      expect(asked.filter((question) => question.startsWith('A '))).toHaveLength(4);
      expect(receiver.connections).toBe(2);
    });

    it('keeps its connection when its addresses change', async () => {
      const answers = [['127.0.0.1']];
      tell = (type) => (type === 'A' ? (answers.shift() ?? ['10.0.0.1']) : []);
      expect([await post(), await post()]).toMatchObject([
        { outcome: 'acknowledged', ms: { dns: expect.any(Number) } },
        { outcome: 'acknowledged', ms: { dns: null, connect: null }, peer_address: '127.0.0.1' },
      ]);
      expect(receiver.connections).toBe(1);
    });

    it.each<[string, NameAnswer, string]>([
      ['does not exist', 'unknown', 'the host name does not resolve'],
      ['has no addresses', [], 'the host name does not resolve'],
      ['has a name server that fails', 'failure', 'the host name could not be looked up'],
    ])('ends in a network outcome when it %s', async (_, told, error) => {
      tell = () => told;
      expect(await post()).toMatchObject({ outcome: 'network', error, ms: { connect: null } });
    });

    it('ends in a network outcome when it is too long for a host name', async () => {
      expect(await post(`${'a'.repeat(70)}.test`)).toMatchObject({
        outcome: 'network',
        error: 'the host name does not resolve',
      });
    });

    it('is called at the other addresses when one query fails', async () => {
      tell = (type) => (type === 'A' ? ['127.0.0.1'] : 'failure');
      expect(await post()).toMatchObject({ outcome: 'acknowledged' });
    });

    it('is called at the address that answers', async () => {
      const both = open(rangesOf('127.0.0.1', '::1'));
      // The receiver listens on the IPv4 address only.
      tell = (type) => (type === 'A' ? ['127.0.0.1'] : ['::1']);
      expect(await post('receiver.test', {}, both)).toMatchObject({
        outcome: 'acknowledged',
        peer_address: '127.0.0.1',
      });
      await both.close();
    });

    it.each([
      ['a dot at its end', 'receiver.test.', 'A receiver.test'],
      ['other letters', 'bücher.test', 'A xn--bcher-kva.test'],
      ['capitals and wide letters', 'ＲＥＣＥＩＶＥＲ.Test', 'A receiver.test'],
    ])('is resolved and validated as usual with %s', async (_, host, question) => {
      receiver.behave = answer(200, '', { connection: 'close' });
      expect(await post(host)).toMatchObject({ outcome: 'acknowledged' });
      expect(asked).toContain(question);
      tell = (type) => (type === 'A' ? ['10.0.0.1'] : []);
      expect(await post(host)).toMatchObject(blocked('10.0.0.1'));
    });

    it.each(['localhost', 'LOCALHOST.', 'api.localhost'])(
      'resolves to loopback without a query: %s',
      async (host) => {
        expect(await post(host)).toMatchObject(blocked('::1'));
        const local = open(rangesOf('127.0.0.0/8', '::1'));
        expect(await post(host, {}, local)).toMatchObject({
          outcome: 'acknowledged',
          peer_address: '127.0.0.1',
        });
        await local.close();
        expect(asked).toEqual([]);
      },
    );

    it('times out when the name servers are silent, while other posts go on', async () => {
      tell = (type, name) => (name.startsWith('silent') ? 'silence' : type === 'A' ? ['127.0.0.1'] : []);
      // If the machine was suspended for longer than the timeout, the test repeats.
      await waitFor('the others to be first', async () => {
        const silent = Array.from({ length: 30 }, (_, index) =>
          post(`silent-${index}.test`, { timeoutMs: 2_500 }),
        );
        const first = await Promise.race([post(), ...silent]);
        for (const result of await Promise.all(silent))
          expect(result).toMatchObject({
            outcome: 'timeout',
            error: 'no response within 2.5 s',
            ms: { dns: null },
          });
        return first.outcome === 'acknowledged';
      });
    });

    it('gets no request when it resolves after the deadline', async () => {
      let resolve = () => {};
      const late = new Promise<void>((done) => {
        resolve = done;
      });
      tell = (type) => late.then(() => (type === 'A' ? ['127.0.0.1'] : []));
      expect(await post('receiver.test', { timeoutMs: 100 })).toMatchObject({ outcome: 'timeout' });
      resolve();
      expect(await post()).toMatchObject({ outcome: 'acknowledged' });
      expect(receiver.calls).toHaveLength(1);
    });
  });

  describe('a host that is an address', () => {
    it.each([
      ['127.0.0.2', '127.0.0.2'],
      ['127.2', '127.0.0.2'],
      ['0x7f000002', '127.0.0.2'],
      ['[::ffff:127.0.0.2]', '[::ffff:7f00:2]'],
      ['[::1]', '[::1]'],
      ['169.254.169.254', '169.254.169.254'],
    ])('is blocked without a connection: %s', async (host, address) => {
      expect(await post(host)).toMatchObject({
        outcome: 'blocked_address',
        error: `the url must not name the address ${address}: it is not public`,
      });
      expect(receiver.connections).toBe(0);
      expect(asked).toEqual([]);
    });

    it.each(['127.0.0.2', '::1', '::ffff:127.0.0.2', 'fe80::1', 'fe80::1%lo'])(
      'is also rejected by the connector, which opens no socket: %s',
      async (hostname) => {
        const connector = createGuardedConnector({ allowedRanges: fake });
        const callback = jest.fn();
        connector.connect(
          { hostname, protocol: 'http:', port: String(receiver.port) },
          { startedAt: 0 },
          callback,
        );
        expect(callback.mock.calls).toEqual([[expect.objectContaining({ address: hostname }), null]]);
        connector.close();
      },
    );
  });
});

describe('webhook certificates', () => {
  const allowedRanges = [readRange('127.0.0.1')].filter((range) => range !== undefined);
  const name = 'receiver.test';

  let names: NameServer;
  let authority: ReturnType<typeof createAuthority>;
  let webhooks: WebhookPost;
  let trusting: WebhookPost;
  beforeAll(async () => {
    names = await startNameServer((_, type) => (type === 'A' ? ['127.0.0.1'] : []));
    authority = createAuthority();
    const settings = {
      allowedRanges,
      allowedPorts: 'any',
      allowHttp: false,
      nameServers: [names.address],
    } as const;
    webhooks = createWebhookPost(settings);
    trusting = createWebhookPost({ ...settings, trustedAuthorities: authority.pem });
  });
  afterAll(async () => {
    await Promise.all([webhooks.close(), trusting.close()]);
    authority.close();
    names.close();
  });

  async function postTo(certificate: KeyAndCertificate, sender: WebhookPost, host = name) {
    const receiver = await startReceiver(answer(200), certificate);
    const results = [];
    for (let count = 0; count < 2; count++)
      results.push(await sender.post({ url: `https://${host}:${receiver.port}/`, headers: {}, body: '{}' }));
    return { results, received: receiver.calls.length };
  }

  async function listen(server: Server): Promise<string> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return `https://${name}:${typeof address === 'object' ? address?.port : ''}/`;
  }

  describe('an https receiver', () => {
    it('acknowledges with a trusted certificate, and a kept connection needs no second handshake', async () => {
      const { results } = await postTo(authority.issue(name, 2), trusting);
      const phases = { dns: expect.any(Number), connect: expect.any(Number), tls: expect.any(Number) };
      expect(results).toMatchObject([
        { outcome: 'acknowledged', peer_address: '127.0.0.1', ms: phases },
        { outcome: 'acknowledged', peer_address: '127.0.0.1', ms: { dns: null, connect: null, tls: null } },
      ]);
    });

    it.each<[string, () => KeyAndCertificate, string, string]>([
      ['an expired certificate', () => authority.issue(name, -1), name, 'the certificate has expired'],
      [
        'a certificate for another name',
        () => authority.issue('other.test', 2),
        name,
        'the certificate is for another host name',
      ],
      [
        'a certificate for a name when it is called at an address',
        () => authority.issue(name, 2),
        '127.0.0.1',
        'the certificate is for another host name',
      ],
      ['a self-signed certificate', () => authority.selfSigned(name), name, 'the certificate is self-signed'],
    ])('gets no request with %s', async (_, certificate, host, error) => {
      const { results, received } = await postTo(certificate(), trusting, host);
      expect(results).toMatchObject([
        { outcome: 'network', error },
        { outcome: 'network', error },
      ]);
      expect(received).toBe(0);
    });

    it('gets no request with a certificate of an unknown authority', async () => {
      const { results, received } = await postTo(authority.issue(name, 2), webhooks);
      expect(results[0]).toMatchObject({
        outcome: 'network',
        error: "the certificate's issuer is unknown, or its chain is incomplete",
        ms: { tls: null },
      });
      expect(received).toBe(0);
    });

    it('ends in a network outcome when it speaks http', async () => {
      const plain = createServer((socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
      );
      const url = await listen(plain);
      expect(await trusting.post({ url, headers: {}, body: '' })).toMatchObject({
        outcome: 'network',
        error: 'the TLS handshake failed',
      });
      plain.close();
    });

    it('times out after 5 s when it accepts the connection and no handshake, whatever the deadline', async () => {
      const silent = createServer((socket) => socket.on('error', () => {}).resume());
      const url = await listen(silent);
      expect(await trusting.post({ url, headers: {}, body: '' })).toMatchObject({
        outcome: 'timeout',
        error: 'no connection within 5 s',
        peer_address: '127.0.0.1',
        ms: { connect: expect.any(Number), tls: null, first_byte: null },
      });
      silent.close();
    });
  });
});
