import type { IncomingMessage } from 'node:http';

/**
 * The host name from the Host header in lower case, without the port and a trailing dot; empty without the header.
 * X-Forwarded-Host is ignored, because a proxy that does not set it passes on whatever the client sent.
 */
export const hostName = ({ headers }: Pick<IncomingMessage, 'headers'>): string =>
  (headers.host ?? '').replace(/:\d*$/, '').toLowerCase().replace(/\.$/, '');
