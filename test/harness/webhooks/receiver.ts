import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { atEnd, once as onlyOnce } from '../at-end';

type ReceivedCall = {
  socket: Socket;
  /** The number of the connection that carried the request. Connections are counted from 1. */
  connection: number;
  start: string;
  /** The headers as sent: name, value, name, value … */
  headers: string[];
  body: string;
};
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
export type Behaviour = (call: ReceivedCall) => void;

/**
 * Starts a receiver of webhooks on loopback. It calls `behave`, which a test can replace, for each complete request.
 * `behave` writes bytes to the socket, so it can imitate any receiver. It is closed when the test file ends.
 */
export async function startReceiver(behave: Behaviour, tls?: { key: string; cert: string }) {
  const sockets = new Set<Socket>();
  const receiver = {
    url: '',
    port: 0,
    connections: 0,
    calls: [] as ReceivedCall[],
    behave,
    close: async () => {},
  };
  const accept = (socket: Socket) => {
    const connection = ++receiver.connections;
    let text = '';
    sockets.add(socket);
    // Some connections are reset by the client.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (let call = takeCall(text); call; call = takeCall(text)) {
        text = text.slice(call.length);
        const received = { socket, connection, ...call.parts };
        receiver.calls.push(received);
        receiver.behave(received);
      }
    });
  };
  const server = tls ? createTlsServer(tls, accept) : createServer(accept);
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  receiver.port = typeof address === 'object' && address ? address.port : 0;
  receiver.url = `${tls ? 'https' : 'http'}://127.0.0.1:${receiver.port}`;
  receiver.close = onlyOnce(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  atEnd(receiver.close);
  return receiver;
}

/** Returns a behaviour that sends a complete response. */
export const answer =
  (status: number, body = '', headers: Record<string, string> = {}): Behaviour =>
  ({ socket }) => {
    const lines = Object.entries({ 'content-length': String(Buffer.byteLength(body)), ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(`HTTP/1.1 ${status} Status\r\n${head}\r\n${body}`);
  };

/** Returns a behaviour that sends these bytes and nothing more. */
export const bytes =
  (text: string | Buffer): Behaviour =>
  ({ socket }) => {
    socket.write(text);
  };

function takeCall(text: string) {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [start = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = lines.flatMap((line) => [
    line.slice(0, line.indexOf(':')),
    line.slice(line.indexOf(':') + 2),
  ]);
  const length = Number(headers[headers.indexOf('content-length') + 1] ?? 0);
  const body = text.slice(end + 4, end + 4 + length);
  if (body.length < length) return undefined;
  return {
    length: end + 4 + length,
    parts: { start, headers, body: Buffer.from(body, 'latin1').toString() },
  };
}
