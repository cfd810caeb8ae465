import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { takePort } from './ports';

/**
 * Creates a proxy of a server (host:port). While the proxy is closed, its clients find the server unavailable. With
 * `holdsResponses`, it holds back all responses until the test calls `letGo`.
 */
export async function createDoor(target: string, { holdsResponses = false } = {}) {
  const port = await takePort();
  const [host = '', targetPort = ''] = target.split(':');
  const sockets = new Set<Socket>();
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
    near.pipe(far);
    void released.then(() => far.pipe(near));
  });
  // An open proxy must not keep the process of the tests alive.
  server.unref();
  return {
    port,
    address: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}`,
    letGo: () => letGo(),
    /** Does nothing if the proxy is open. */
    open: () =>
      new Promise<void>((resolve) => {
        if (server.listening) resolve();
        else server.listen(port, '127.0.0.1', resolve);
      }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
        sockets.clear();
      }),
  };
}
