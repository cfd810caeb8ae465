import { once } from 'node:events';
import { connect, constants, createSecureServer } from 'node:http2';
import type { IncomingHttpHeaders, OutgoingHttpHeaders, SecureServerOptions } from 'node:http2';
import type { AddressInfo } from 'node:net';

const permissionDenied = '7';
const unauthenticated = '16';

/**
 * Starts a proxy of Temporal that speaks TLS, as Temporal Cloud does. With an `apiKey`, it rejects calls that do not
 * bring it. It also rejects all calls whose path contains `refuses`.
 */
export async function startTlsProxy(
  temporalAddress: string,
  { apiKey, refuses, ...options }: SecureServerOptions & { apiKey?: string; refuses?: string },
) {
  const temporal = connect(`http://${temporalAddress}`);
  const sessions = new Set<{ destroy: () => void }>([temporal]);
  const server = createSecureServer(options);
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => undefined);
  });
  server.on('stream', (call, headers: IncomingHttpHeaders) => {
    call.on('error', () => undefined);
    const isKnown = apiKey === undefined || headers.authorization === `Bearer ${apiKey}`;
    if (!isKnown || (refuses !== undefined && headers[':path']?.includes(refuses))) {
      const status = {
        'grpc-status': isKnown ? permissionDenied : unauthenticated,
        'grpc-message': 'Request unauthorized.',
      };
      call.respond({ ':status': 200, 'content-type': 'application/grpc', ...status }, { endStream: true });
      return;
    }
    const forwarded = temporal.request({ ...headers, ':scheme': 'http' });
    forwarded.on('error', () => call.close(constants.NGHTTP2_CANCEL));
    call.on('close', () => forwarded.close(constants.NGHTTP2_CANCEL));
    let trailers: OutgoingHttpHeaders = {};
    forwarded.on('trailers', (sent: OutgoingHttpHeaders) => {
      trailers = sent;
    });
    forwarded.on('response', (reply: OutgoingHttpHeaders, flags: number) => {
      if (call.destroyed) return;
      // An error of gRPC has its status in the headers, and nothing follows them.
      if (flags & constants.NGHTTP2_FLAG_END_STREAM) {
        call.respond(reply, { endStream: true });
        return;
      }
      call.respond(reply, { waitForTrailers: true });
      call.on('wantTrailers', () => call.sendTrailers(trailers));
      forwarded.pipe(call);
    });
    call.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const session of sessions) session.destroy();
      server.close();
    },
  };
}
