import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { createGuardedConnector } from '../../../activities/providers/address-guard';
import { createKeptConnections } from '../../../activities/providers/kept-connections';
import type { PostRequest } from '../../../activities/providers/webhook-attempt';
import { createWebhookPost } from '../../../activities/providers/webhook-post';
import type { WebhookPost } from '../../../activities/providers/webhook-post';
import { readRange } from '../../../api/platform/text/ip-address';
import { until } from '../../harness/wait-for';
import { answer, startReceiver } from '../../harness/webhooks/receiver';
import type { Receiver } from '../../harness/webhooks/receiver';

const allowedRanges = [readRange('127.0.0.1')].filter((range) => range !== undefined);

let receiver: Receiver;
let webhooks: WebhookPost;
beforeEach(async () => {
  receiver = await startReceiver(answer(200));
  webhooks = createWebhookPost({ allowedRanges, allowedPorts: 'any', allowHttp: true });
});
afterEach(async () => {
  await webhooks.close();
  await receiver.close();
});

const post = (changes: Partial<PostRequest> = {}) =>
  webhooks.post({ url: `${receiver.url}/`, headers: {}, body: '{}', timeoutMs: 20_000, ...changes });

describe('connections', () => {
  it('carry sequential posts over one connection', async () => {
    for (let count = 0; count < 5; count++) expect(await post()).toMatchObject({ outcome: 'acknowledged' });
    expect(receiver.connections).toBe(1);
  });

  it('carry simultaneous posts over one connection each, and report each one', async () => {
    const waiting: (() => void)[] = [];
    receiver.behave = (call) => {
      waiting.push(() => answer(200, `${call.connection}`)(call));
      if (waiting.length === 20) for (const reply of waiting) reply();
    };
    const results = await Promise.all(Array.from({ length: 20 }, () => post()));
    expect(new Set(results.map((result) => result.response_body)).size).toBe(20);
    for (const { ms } of results) expect(ms).toMatchObject({ connect: expect.any(Number) });
  });

  it('are replaced when the receiver closed a kept one meanwhile, so that the post arrives once', async () => {
    await post();
    const [call] = receiver.calls;
    call?.socket.end();
    if (call && !call.socket.closed) await once(call.socket, 'close');
    expect(await post()).toMatchObject({ outcome: 'acknowledged', ms: { connect: expect.any(Number) } });
    expect([receiver.connections, receiver.calls.length]).toEqual([2, 2]);
  });

  it('are replaced when the receiver resets a kept one before anything is written to it', async () => {
    for (let count = 1; count <= 20; count++) {
      await post();
      const socket = receiver.calls.at(-1)?.socket;
      socket?.resetAndDestroy();
      if (socket && !socket.closed) await once(socket, 'close');
      // After one more turn of the event loop, the client has noticed the reset.
      await setImmediate();
      expect(await post()).toMatchObject({ outcome: 'acknowledged' });
      expect(receiver.calls).toHaveLength(2 * count);
    }
  });

  it('end in a network outcome when the receiver closes a kept one at the post, which is not sent again', async () => {
    await post();
    receiver.behave = ({ socket }) => socket.destroy();
    expect(await post()).toMatchObject({
      outcome: 'network',
      error: 'the connection was closed without a response',
      ms: { connect: null },
    });
    expect([receiver.connections, receiver.calls.length]).toEqual([1, 2]);
    receiver.behave = answer(200);
    expect(await post()).toMatchObject({ outcome: 'acknowledged' });
  });

  it('deliver the first of two answers, and the second to no other post', async () => {
    receiver.behave = (call) => {
      answer(200, 'first')(call);
      if (call.connection === 1) answer(200, 'smuggled')(call);
    };
    expect([await post(), await post()]).toMatchObject([
      { outcome: 'acknowledged', response_body: 'first' },
      { outcome: 'acknowledged', response_body: 'first' },
    ]);
    expect(receiver.connections).toBe(2);
  });
});

describe('a signal', () => {
  it('rejects all posts under way with its reason and closes their connections', async () => {
    const stop = new AbortController();
    const closed: Promise<unknown>[] = [];
    const both = new Promise<void>((resolve) => {
      receiver.behave = ({ socket }) => {
        closed.push(once(socket, 'close'));
        if (closed.length === 2) resolve();
      };
    });
    const posts = [post({ signal: stop.signal }), post({ signal: stop.signal })];
    await both;
    stop.abort(new Error('the lock is lost'));
    for (const rejected of posts) await expect(rejected).rejects.toThrow('the lock is lost');
    await Promise.all(closed);
  });

  it('sends nothing when it was aborted before', async () => {
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(post({ signal })).rejects.toThrow('stopped');
    expect(receiver.connections).toBe(0);
  });

  it('changes nothing after the outcome', async () => {
    const stop = new AbortController();
    const result = await post({ signal: stop.signal });
    stop.abort();
    expect(result).toMatchObject({ outcome: 'acknowledged' });
    expect(await post()).toMatchObject({ outcome: 'acknowledged', ms: { connect: null } });
  });
});

describe('close', () => {
  it('waits for posts under way', async () => {
    const replied: string[] = [];
    receiver.behave = (call) => {
      void webhooks.close().then(() => replied.push('closed'));
      global.setTimeout(() => answer(200)(call), 50);
    };
    const result = await post();
    replied.push(result.outcome);
    await until(
      'the close',
      () => replied.length,
      (count) => count === 2,
    );
    expect(replied).toEqual(['acknowledged', 'closed']);
    webhooks = createWebhookPost({ allowedRanges, allowedPorts: 'any', allowHttp: true });
  });
});

describe('kept connections', () => {
  const open = (limits: { idleMs?: number; maxIdle?: number }) => {
    const connector = createGuardedConnector({ allowedRanges });
    return createKeptConnections(connector, limits);
  };

  it('are reused for their origin only, the last returned first', async () => {
    const connections = open({});
    const [one, two, other] = [
      connections.take('http://a'),
      connections.take('http://a'),
      connections.take('http://b'),
    ];
    for (const connection of [one, other, two]) connections.giveBack(connection);
    const taken = [connections.take('http://a'), connections.take('http://a'), connections.take('http://b')];
    expect(taken.map((connection) => [one, two, other].indexOf(connection))).toEqual([1, 0, 2]);
    expect([one, two, other]).not.toContain(connections.take('http://a'));
    await connections.close();
  });

  it('are closed beyond the maximum of idle ones', async () => {
    const connections = open({ maxIdle: 1 });
    const [one, two] = [connections.take('http://a'), connections.take('http://b')];
    connections.giveBack(one);
    connections.giveBack(two);
    expect(connections.take('http://a')).toBe(one);
    expect(connections.take('http://b')).not.toBe(two);
    expect(two.client.destroyed).toBe(false);
    await setImmediate();
    expect(two.client.destroyed).toBe(true);
    await connections.close();
  });

  it('are closed when idle for too long', async () => {
    const connections = open({ idleMs: 20 });
    const connection = connections.take('http://a');
    connections.giveBack(connection);
    await until('its end', () => connection.client.destroyed, Boolean);
    expect(connections.take('http://a')).not.toBe(connection);
    await connections.close();
  });
});
