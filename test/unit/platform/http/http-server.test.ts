import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { createHttpServer } from '../../../../api/platform/http/http-server';
import { inTime, until } from '../../../harness/wait-for';

/**
 * The limit that is passed to `stop`. It is longer than any test may run, so a test fails if `stop` waits until the
 * limit.
 */
const limitMs = 600_000;

async function serve(app: (request: IncomingMessage, response: ServerResponse) => void) {
  const { server, stop } = createHttpServer(app);
  const received: string[] = [];
  const open = async (bytes: string): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('data', (chunk) => received.push(chunk.toString()));
    await once(socket, 'connect');
    socket.write(bytes);
    return socket;
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const connections = () =>
    new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  return { open, stop, connections, received };
}

// Resolves when the connection is closed. A reset connection, which reports an error, is closed too.
const closing = (socket: Socket) =>
  new Promise((resolve) => socket.on('error', resolve).on('close', resolve));

describe('stopping the server', () => {
  it.each([
    ['no request', ''],
    ['a part of a request', 'GET / HTT'],
    ['a request with a reply, kept alive', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a refused request whose body never comes', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n'],
  ])('does not wait for a connection with %s', async (_, bytes) => {
    const { open, stop, connections, received } = await serve(
      (_request, response) => void response.end('ok'),
    );
    const socket = await open(bytes);
    await until('the connection', connections, (count) => count === 1);
    if (bytes.endsWith('\r\n\r\n'))
      await until(
        'the reply',
        () => received.join(''),
        (text) => text.endsWith('ok'),
      );
    const closed = closing(socket);
    await inTime('the server to stop', stop(limitMs));
    await inTime('the connection to close', closed);
  });

  it('waits for the reply of a running request, and closes its connection then', async () => {
    const running: ServerResponse[] = [];
    const { open, stop, received } = await serve((_request, response) => void running.push(response));
    const socket = await open('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(
      'the request',
      () => running.length,
      (count) => count === 1,
    );
    const closed = closing(socket);
    const stopped = stop(limitMs);
    running[0]?.end('late');
    await inTime('the server to stop', stopped);
    await inTime('the connection to close', closed);
    expect(received.join('')).toMatch(/late$/);
  });

  it('sends the rest of a reply to a client that reads slowly', async () => {
    const { open, stop } = await serve((_request, response) => void response.end('x'.repeat(20_000_000)));
    const socket = await open('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    socket.pause();
    const stopped = stop(limitMs);
    // The client reads what the kernel has buffered. The server must then send the rest.
    let bytes = 0;
    socket.on('data', (chunk) => (bytes += chunk.length));
    const closed = closing(socket);
    socket.resume();
    await inTime('the server to stop', stopped);
    await inTime('the connection to close', closed);
    expect(bytes).toBeGreaterThan(19_000_000);
  });

  it('cuts off a reply that does not end within the limit', async () => {
    const running: ServerResponse[] = [];
    const { open, stop } = await serve((_request, response) => void running.push(response));
    const socket = await open('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(
      'the request',
      () => running.length,
      (count) => count === 1,
    );
    const closed = closing(socket);
    await inTime('the server to stop', stop(1));
    await inTime('the connection to close', closed);
  });
});
