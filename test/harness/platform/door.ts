import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { atEnd } from '../at-end';
import { takePort } from './ports';

/**
 * Creates a proxy of a server (host:port). While the proxy is closed, its clients find the server unavailable. With
 * `holdsResponses`, it holds back all responses until the test calls `letGo`. It is closed when the test file ends.
 */
export async function createDoor(
  target: string,
  { holdsResponses = false, at }: { holdsResponses?: boolean; at?: number } = {},
) {
  const port = at ?? (await takePort());
  const [host = '', targetPort = ''] = target.split(':');
  const sockets = new Set<Socket>();
  let mode: 'open' | 'deaf' | 'frozen' = 'open';
  let letGo = () => {};
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  if (!holdsResponses) letGo();
  const server = createServer((near) => {
    const far = connect(Number(targetPort), host);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined).on('close', () => to.destroy());
    }
    near.on('data', (chunk) => mode !== 'frozen' && far.write(chunk));
    void released.then(() => far.on('data', (chunk) => mode === 'open' && near.write(chunk)));
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    });
  atEnd(close);
  return {
    port,
    address: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}`,
    letGo: () => letGo(),
    /** The mode `frozen` drops requests and responses, and `deaf` drops only responses. */
    setMode: (next: typeof mode) => {
      mode = next;
    },
    /** Does nothing if the proxy is open. */
    open: () =>
      new Promise<void>((resolve) => {
        if (server.listening) resolve();
        else server.listen(port, '127.0.0.1', resolve);
      }),
    close,
  };
}
