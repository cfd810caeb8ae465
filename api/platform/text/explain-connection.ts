import { connect } from 'node:net';
import { connect as connectWithTls } from 'node:tls';
import type { TemporalOptions } from './temporal-variables';

/** The first bytes of an HTTP/2 client: the preface, and a frame of settings without any value. */
const greeting = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1');
const waitMs = 3_000;

/**
 * Returns a sentence that says why Temporal cannot be reached. Temporal's clients only report that a connection was
 * closed or that its time was up. This function connects once more, because the errors of Node are precise.
 */
export async function explainConnection(options: TemporalOptions): Promise<string> {
  const { address, tls } = options;
  const outcome = await greet(options).catch(codeOf);
  switch (outcome) {
    case 'greeted':
      return `${address} accepts the connection, so it is Temporal that rejects the call.`;
    case 'silent':
      return `${address} does not respond.`;
    case 'closed':
    case 'ECONNRESET':
      return tls
        ? `${address} closed the connection: does it trust the certificate in TEMPORAL_TLS_CERT?`
        : `${address} closed the connection: does it expect TLS (TEMPORAL_TLS)?`;
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return `${address} does not speak TLS: unset the variables TEMPORAL_TLS… and TEMPORAL_API_KEY.`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `The certificate of ${address} is for another name: set TEMPORAL_TLS_SERVER_NAME to that name.`;
    case 'CERT_HAS_EXPIRED':
      return `The certificate of ${address} has expired.`;
    default:
  }
  if (outcome.includes('CERTIFICATE_REQUIRED'))
    return `${address} requires a client certificate: set TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY.`;
  if (/VERIFY|SELF_SIGNED|ISSUER|CERT_/.test(outcome) && !outcome.includes('ALERT'))
    return `The certificate of ${address} is not trusted (${outcome}): set TEMPORAL_TLS_CA to its authority.`;
  return `The connection to ${address} failed (${outcome}).`;
}

const codeOf = (error: NodeJS.ErrnoException): string => error.code ?? error.name;

/** Connects as an HTTP/2 client does. Returns the code of the error, or `greeted`, `closed` or `silent`. */
async function greet({ address, tls }: TemporalOptions): Promise<string> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const target = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
  const socket = tls
    ? connectWithTls({
        ...target,
        ALPNProtocols: ['h2'],
        servername: tls.serverNameOverride,
        ca: tls.serverRootCACertificate,
        cert: tls.clientCertPair?.crt,
        key: tls.clientCertPair?.key,
      })
    : connect(target);
  const outcome = new Promise<string>((resolve) => {
    // A server that requires a client certificate rejects the connection only after the handshake.
    socket.once(tls ? 'secureConnect' : 'connect', () => socket.write(greeting));
    socket.once('data', () => resolve('greeted'));
    socket.once('error', (error) => resolve(codeOf(error)));
    socket.once('close', () => resolve('closed'));
    socket.setTimeout(waitMs, () => resolve('silent'));
  });
  return outcome.finally(() => socket.destroy());
}
