import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { atEnd } from '../at-end';
import { takePort } from './ports';

const oneWayMs = 150;
/** TCP sends a lost segment again after the round trip and at least 200 ms. */
const againMs = 2 * oneWayMs + 200;
const segmentBytes = 1_448;
const loss = 0.02;

/**
 * Starts a relay to a server (host:port) and returns its port. It models what TCP makes of a network with a round trip of
 * 300 ms that loses 2 % of its segments: nothing is lost for the two ends, but a segment that was lost once arrives 500 ms
 * later, and all behind it wait. It does not model congestion control, or losses of acknowledgements. The losses are the
 * same in each run.
 */
export async function startSlowNetwork(target: string): Promise<number> {
  const port = await takePort();
  const [host = '', targetPort = ''] = target.split(':');
  let seed = 1;
  const isLost = () => (seed = (seed * 48_271) % 0x7fff_ffff) / 0x7fff_ffff < loss;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(targetPort), host);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      carry(from, to, isLost);
    }
  });
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return port;
}

function carry(from: Socket, to: Socket, isLost: () => boolean): void {
  const onTheWay: { at: number; deliver: () => void }[] = [];
  const arrive = () => {
    while (onTheWay[0] && onTheWay[0].at <= performance.now()) onTheWay.shift()?.deliver();
    if (onTheWay[0]) setTimeout(arrive, onTheWay[0].at - performance.now());
  };
  const send = (deliver: () => void) => {
    const at = performance.now() + oneWayMs + (isLost() ? againMs : 0);
    onTheWay.push({ at: Math.max(at, onTheWay.at(-1)?.at ?? 0), deliver });
    if (onTheWay.length === 1) setTimeout(arrive, at - performance.now());
  };
  from.on('data', (chunk: Buffer) => {
    for (let start = 0; start < chunk.length; start += segmentBytes)
      send(() => to.write(chunk.subarray(start, start + segmentBytes)));
  });
  from.on('error', () => undefined).on('close', () => send(() => to.destroy()));
}
