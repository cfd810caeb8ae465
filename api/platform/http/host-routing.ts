import type { RequestHandler } from 'express';
import { hostName } from './host-name';

/** Handles requests for the host of this origin, and passes requests for other hosts on. */
export const onHost = (origin: string, handler: RequestHandler): RequestHandler => {
  const { hostname } = new URL(origin);
  return (request, response, next) =>
    hostName(request) === hostname ? handler(request, response, next) : next();
};

/** Handles requests for merchants' hosts, which are all hosts except those of these origins. */
export const onOtherHosts = (origins: string[], handler: RequestHandler): RequestHandler => {
  const own = new Set(origins.map((origin) => new URL(origin).hostname));
  return (request, response, next) => {
    const host = hostName(request);
    return host === '' || own.has(host) ? next() : handler(request, response, next);
  };
};
