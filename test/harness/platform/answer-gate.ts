import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** Starts a proxy of the server at this URL. The proxy holds back every response until the test calls `letGo`. */
export async function startAnswerGate(serverUrl: string) {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let letGo = () => {};
  const isOpen = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined).on('close', () => other.destroy());
    }
    near.pipe(far);
    void isOpen.then(() => far.pipe(near));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    letGo: () => letGo(),
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
