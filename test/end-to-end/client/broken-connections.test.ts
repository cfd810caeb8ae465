import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { InterviewPlatform } from '../../../clients/typescript/src/index';
import type { Settings } from '../../../clients/typescript/src/index';
import { merchants } from '../../../local/seed/accounts';
import { atEnd } from '../../harness/at-end';
import { eachOf } from '../../harness/each-row';
import { makeKey } from '../../harness/identity/accounts';
import type { Platform } from '../../harness/platform/platform';
import { takePort } from '../../harness/platform/ports';
import { sharedPlatform } from '../../harness/platform/shared-platform';

type Side = 'request' | 'reply';
/** Breaks the first connection when this many bytes of the request or of the reply have passed. */
type Cut = { side: Side; offset: number };

let platform: Platform;
let serviceKey = '';
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  serviceKey = await makeKey(platform, merchants.main.id);
});

/** Starts a proxy of the API that breaks its first connection, and keeps what passed through it. */
async function openProxy(cut: Cut, send?: Settings['fetch']) {
  const passed: Record<Side, Buffer[]> = { request: [], reply: [] };
  const sockets = new Set<Socket>();
  const target = new URL(platform.stack.origin);
  let connections = 0;
  const server = createServer((near) => {
    connections += 1;
    const isCut = connections === 1;
    const far = connect(Number(target.port), target.hostname);
    const count = { request: 0, reply: 0 };
    const pass = (side: Side, from: Socket, to: Socket) => {
      const isHere = isCut && cut.side === side;
      // The rest of the request never arrives, and the server reads only the end of the connection.
      const end = () => {
        near.destroy();
        far.end();
      };
      if (isHere && cut.offset === 0 && side === 'request') end();
      from.on('data', (chunk: Buffer) => {
        passed[side].push(chunk);
        const room = isHere ? cut.offset - count[side] : chunk.length;
        count[side] += chunk.length;
        if (!isHere || chunk.length < room) to.write(chunk);
        else to.write(chunk.subarray(0, room), end);
      });
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    near.on('close', () => far.end());
    far.on('close', () => near.destroy());
    pass('request', near, far);
    pass('reply', far, near);
  });
  const port = await takePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const client = new InterviewPlatform({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    serviceKey,
    merchantId: merchants.main.id,
    ...(send ? { fetch: send } : {}),
  });
  return {
    client,
    connections: () => connections,
    bytes: (side: Side) => Buffer.concat(passed[side]).toString(),
  };
}

const create = async (cut: Cut, name: string, send?: Settings['fetch']) => {
  const proxy = await openProxy(cut, send);
  const { id } = await proxy.client.knowledgeBaseCreate({ name, text: 'We open at nine.' });
  return { id, ...proxy };
};
const nameOf = ({ side, offset }: Cut) => `Broken ${side} ${String(offset).padStart(4, '0')}`;

/** Returns offsets in every part of a message: before it, in its first line, head and body, at their borders and at its end. */
function offsetsOf(message: string): number[] {
  const line = message.indexOf('\r\n');
  const head = message.indexOf('\r\n\r\n') + 4;
  const steps = Array.from({ length: Math.floor(message.length / 48) }, (_, index) => index * 48);
  return [...new Set([0, 1, line, line + 2, head - 1, head, head + 1, message.length - 1, ...steps])];
}

describe('a client whose connection breaks', () => {
  it('creates one object, wherever the request or the reply breaks off', async () => {
    const whole = await create({ side: 'reply', offset: Infinity }, nameOf({ side: 'reply', offset: 0 }));
    expect(whole.connections()).toBe(1);
    const cuts = (['request', 'reply'] as const).flatMap((side) =>
      offsetsOf(whole.bytes(side)).map((offset) => ({ side, offset })),
    );
    // The whole request arrives, and the client hears nothing.
    cuts.push({ side: 'request', offset: whole.bytes('request').length });
    expect(cuts.length).toBeGreaterThan(30);

    await eachOf(cuts, async (cut) => {
      const name = `${nameOf(cut)} again`;
      const { id, connections } = await create(cut, name);
      expect(connections()).toBeGreaterThan(1);
      const rows = await platform.database.rows('select id from knowledge_base where name = $1', [name]);
      expect(rows).toEqual([{ id }]);
    });
  });
});
