import { errors } from 'undici';
import {
  BlockedAddress,
  connectTimeoutMs,
  NameNotFound,
  NameLookupFailed,
  errorCodeOf,
} from './address-guard';

type WebhookFailure = { outcome: 'timeout' | 'network' | 'blocked_address'; error: string };

/**
 * Returns the outcome and the error that are recorded for a failed request. The error contains no part of the request
 * except an address that was blocked.
 */
export function explainFailure(error: unknown, hasResponse: boolean): WebhookFailure {
  if (error instanceof BlockedAddress) return { outcome: 'blocked_address', error: error.message };
  if (error instanceof NameNotFound) return network('the host name does not resolve');
  if (error instanceof NameLookupFailed) return network('the host name could not be looked up');
  const code = errorCodeOf(error);
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return { outcome: 'timeout', error: `no connection within ${connectTimeoutMs / 1000} s` };
  if (isMalformed(error, code, hasResponse)) return network('the response is not valid HTTP/1.1');
  if (closed.has(code) || error instanceof errors.HTTPParserError)
    return network(
      hasResponse
        ? 'the connection was closed before the end of the response'
        : 'the connection was closed without a response',
    );
  const sentence = sentences[code];
  if (sentence !== undefined) return network(sentence);
  if (/^ERR_SSL_|^ERR_TLS_|^EPROTO$/.test(code)) return network('the TLS handshake failed');
  if (/CERT|CRL|SIGNATURE|ISSUER/.test(code)) return network('the certificate cannot be verified');
  return network(code ? `the request failed: ${code}` : 'the request failed');
}

const network = (error: string): WebhookFailure => ({ outcome: 'network', error });

const closed = new Set(['UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);

/**
 * Returns true if the response was not valid HTTP. undici reports some of these errors only in its messages, and a
 * status of 000 fails one of its assertions.
 */
function isMalformed(error: unknown, code: string, hasResponse: boolean): boolean {
  if (error instanceof errors.HTTPParserError) return !error.message.includes('EOF');
  if (error instanceof errors.SocketError) return /^bad (?:response|upgrade)$/.test(error.message);
  return code === 'ERR_ASSERTION' || (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && !hasResponse);
}

const reset = 'the connection was reset';
const unreachable = 'the address cannot be reached';
const unknownIssuer = "the certificate's issuer is unknown, or its chain is incomplete";
const overflow = 'the headers of the response are too large';
const sentences: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: reset,
  ECONNABORTED: reset,
  EPIPE: reset,
  ETIMEDOUT: 'the connection was lost',
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EADDRNOTAVAIL: unreachable,
  UND_ERR_HEADERS_OVERFLOW: overflow,
  UND_ERR_INVALID_ARG: 'the request cannot be sent: a header or the path is not valid',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
};
