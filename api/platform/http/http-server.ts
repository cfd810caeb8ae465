import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { Server as TcpServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../operation/api-error';
import { errorBody } from './error-reply';

/**
 * Creates the HTTP server. If Node itself replies to a request with an error, the error has the same shape as all
 * others. A request whose body does not arrive within 30 s is ended. Idle connections stay open for 65 s, which is
 * longer than a load balancer's 60 s.
 */
export function createHttpServer(app: RequestListener): {
  server: Server;
  stop: (limitMs: number) => Promise<void>;
} {
  const server = createServer(
    {
      requestTimeout: 30_000,
      headersTimeout: 15_000,
      keepAliveTimeout: 65_000,
      // Node checks `requestTimeout` and `headersTimeout` this often. With the default of 30 s, a request could
      // exceed them by up to 30 s.
      connectionsCheckingInterval: 5_000,
      requireHostHeader: false,
      // The URL of a report-run call contains its filters, which may list 400 ids.
      maxHeaderSize: 65_536,
    },
    app,
  );
  // Passes the request to the app, so that an Expect header other than 100-continue is ignored. By default, Node
  // replies 417.
  server.on('checkExpectation', app);
  const latest = new Map<Duplex, ServerResponse | undefined>();
  server.on('connection', (socket) => {
    latest.set(socket, undefined);
    socket.once('close', () => latest.delete(socket));
  });
  server.prependListener('request', (request, response) => {
    latest.set(request.socket, response);
    if (!server.listening) response.setHeader('Connection', 'close');
  });
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    const response = latest.get(socket);
    // True if the request has a reply that is still being sent, or that was sent before the whole request had
    // arrived. No error reply can be sent then.
    const isAnswered = response?.headersSent && !(response.writableFinished && response.req.complete);
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) socket.destroy();
    else socket.end(plainErrorReply('The request is not valid HTTP or did not arrive in time.'));
  });
  return { server, stop: (limitMs) => stopServer(server, latest, limitMs) };
}

/**
 * Stops listening and resolves when every running request has its reply, or after the limit. The HTTP server's own
 * `close` is not used: it would cut off replies that a slow client is still reading, stop enforcing the time limit
 * for bodies, and wait for connections that browsers opened in advance.
 */
async function stopServer(
  server: Server,
  latest: Map<Duplex, ServerResponse | undefined>,
  limitMs: number,
): Promise<void> {
  const closed = new Promise((resolve) => TcpServer.prototype.close.call(server, resolve));
  const limit = Date.now() + limitMs;
  while (latest.size > 0 && Date.now() < limit) {
    for (const [socket, response] of latest)
      if (response === undefined || response.writableFinished) socket.destroy();
    await sleep(50);
  }
  server.closeAllConnections();
  await closed;
}

function plainErrorReply(message: string): string {
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(new ApiError('invalid_request', message), requestId));
  return [
    'HTTP/1.1 422 Unprocessable Entity',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
