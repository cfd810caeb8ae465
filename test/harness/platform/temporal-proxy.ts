import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/**
 * Starts a proxy of Temporal whose traffic a test can block. The mode `frozen` blocks requests and responses, and
 * `deaf` blocks only the responses.
 */
export async function startTemporalProxy(temporalAddress: string) {
  let mode: 'open' | 'deaf' | 'frozen' = 'open';
  const [host = '', port = ''] = temporalAddress.split(':');
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const temporal = connect(Number(port), host);
    for (const [from, to, passes] of [
      [client, temporal, () => mode !== 'frozen'],
      [temporal, client, () => mode === 'open'],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk: Buffer) => passes() && to.write(chunk));
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    setMode: (next: typeof mode) => {
      mode = next;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
