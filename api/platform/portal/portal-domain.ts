import type { Request } from 'express';
import { hostName } from '../http/host-name';

/**
 * Returns the portal domain that a request is for, or null for the deployment's own portal. The router serves no
 * other hosts.
 */
export function portalDomainOf(request: Request, portalOrigin: string): string | null {
  const host = hostName(request);
  return host === new URL(portalOrigin).hostname ? null : host;
}

/**
 * Returns true if a form was sent from a page of the same portal. The port of a portal domain is not compared, because
 * proxies leave it out of the Host header.
 */
export function isFromSamePortal(request: Request, portalOrigin: string): boolean {
  const { origin = '' } = request.headers;
  const domain = portalDomainOf(request, portalOrigin);
  if (domain === null) return origin === portalOrigin;
  const sent = URL.canParse(origin) ? new URL(origin) : undefined;
  return sent?.hostname === domain && (sent.protocol === 'https:' || portalOrigin.startsWith('http:'));
}
