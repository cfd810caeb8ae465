import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError } from '../operation/api-error';
import { errorBody } from './error-reply';

/**
 * Creates Node's server so that its built-in error replies have the shape of all other errors. A body that
 * does not arrive within 30 s is abandoned. Idle connections stay open longer than a load balancer's 60 s.
 */
export function createHttpServer(app: RequestListener): Server {
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 65_000, requireHostHeader: false },
    app,
  );
  // Node would reply 417 by default. The API ignores expectations other than 100-continue.
  server.on('checkExpectation', app);
  const latest = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', (request, response) => void latest.set(request.socket, response));
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    const response = latest.get(socket);
    // A reply that is already being sent, or that has answered this request before it turned out to be malformed, is
    // final.
    const isAnswered = response?.headersSent && !(response.writableFinished && response.req.complete);
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) socket.destroy();
    else socket.end(plainErrorReply('The request is not valid HTTP or did not arrive in time.'));
  });
  return server;
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
