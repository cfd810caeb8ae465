import type { IncomingMessage } from 'node:http';

/**
 * Returns the host name from the Host header in lower case, without the port and a trailing dot, or '' if there is no
 * Host header. X-Forwarded-Host is ignored, because a proxy that does not set it passes on whatever the client sent.
 */
export const hostName = ({ headers }: Pick<IncomingMessage, 'headers'>): string =>
  (headers.host ?? '').replace(/:\d*$/, '').toLowerCase().replace(/\.$/, '');
