import { createGuardedConnector } from '../../../activities/providers/address-guard';
import type { PostRequest } from '../../../activities/providers/webhook-attempt';
import { createWebhookPost } from '../../../activities/providers/webhook-post';
import type { WebhookPost } from '../../../activities/providers/webhook-post';
import { readRange } from '../../../api/platform/text/ip-address';
import { startNameServer } from '../../../local/fakes/name-server';
import type { NameAnswer, NameServer, QuestionType } from '../../../local/fakes/name-server';
import { waitFor } from '../../harness/wait-for';
import { answer, startReceiver } from '../../harness/webhooks/receiver';
import type { Receiver } from '../../harness/webhooks/receiver';

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
afterEach(async () => {
  await webhooks.close();
  await receiver.close();
});

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
    ['a private one first', ['169.254.169.254', '127.0.0.1'], [], '169.254.169.254'],
    ['a public IPv4 and a private IPv6', ['127.0.0.1'], ['fd00::1'], 'fd00::1'],
    ['loopback of IPv6 alone', [], ['::1'], '::1'],
    ['an IPv4 in IPv6', ['127.0.0.1'], ['::ffff:7f00:2'], '::ffff:127.0.0.2'],
    ['a private one in NAT64 form', ['127.0.0.1'], ['64:ff9b::a00:1'], '64:ff9b::a00:1'],
    ['a private one in 6to4 form', [], ['2002:a00:1::'], '2002:a00:1::'],
    ['the address 0.0.0.0', ['0.0.0.0'], [], '0.0.0.0'],
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

describe('createWebhookPost', () => {
  it.each([
    ['https://receiver.test:8443/', 'the url must use one of these ports: 443'],
    ['http://receiver.test:443/', 'the url must begin with https://'],
    [
      'https://user:secret@receiver.test/',
      'the url must not contain a user name or password. Send them in custom_headers',
    ],
    ['receiver.test', 'the url must be a URL, such as https://example.com/webhooks'],
  ])('blocks %s without a query', async (url, error) => {
    const strict = createWebhookPost({
      allowedRanges: fake,
      allowedPorts: [],
      allowHttp: false,
      nameServers: [names.address],
    });
    expect(await post('', { url }, strict)).toMatchObject({
      outcome: 'blocked_address',
      error,
      status: null,
    });
    expect(asked).toEqual([]);
    await strict.close();
  });

  it('does not follow a redirect to a private address', async () => {
    const inside = await startReceiver(answer(200));
    receiver.behave = answer(307, '', { location: `http://127.0.0.1:${inside.port}/latest/meta-data` });
    expect(await post()).toMatchObject({ outcome: 'refused', status: 307 });
    expect(inside.connections).toBe(0);
    await inside.close();
  });
});
