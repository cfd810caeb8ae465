import { isIP } from 'node:net';
import { Router } from 'express';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import type { AddressLimit } from '../http/address-limit';
import { replyToErrors, toApiError } from '../http/error-reply';
import { hostName } from '../http/host-name';
import { onlyMethod } from '../http/only-method';
import { findPortal } from '../../db/portal-catalogue';
import type { Database } from '../../db/scope';
import { noticeOf, sendMissingPage, sendNotice } from './notice';
import { redirectToCatalogue, refuseApiPaths } from './portal-paths';
import { visitorCredential } from './visitor-credential';

type Deps = {
  database: Pick<Database, 'queryAsCaller'>;
  addressLimit: AddressLimit;
  isHttps: boolean;
  apiOrigin: string;
  catalogue: Router;
};

/** How long it is kept whether a host name is a merchant's. */
const keptMs = 10_000;

/**
 * Hosts that are not the platform's own. A merchant's portal domain shows its catalogue and nothing else; every other
 * passes on what is not of a catalogue: whoever checks the API's health knows it by names of their own.
 */
export function merchantHosts({ database, addressLimit, isHttps, apiOrigin, catalogue }: Deps): Router {
  const kept = new LRUCache<string, Promise<boolean>>({ max: 1_000, ttl: keptMs });
  const find = async (domain: string) => {
    const visit = { kind: 'portal_visit', domain, merchantId: null, profileId: null } as const;
    return (await database.queryAsCaller(visit, findPortal)).length > 0;
  };
  const isPortal = (host: string): Promise<boolean> => {
    const known = kept.get(host);
    if (known) return known;
    const found = find(host);
    kept.set(host, found);
    found.catch(() => kept.delete(host));
    return found;
  };
  const guard = addressLimit.guard(visitorCredential(isHttps));
  const portal = restOfPortal(apiOrigin, guard);
  const dispatch: RequestHandler = async (request, response, next) => {
    const host = hostName(request);
    const isAddress = isIP(host.replace(/^\[|\]$/g, '')) !== 0;
    if (!isAddress && host !== '' && (await isPortal(host))) portal(request, response, next);
    else next();
  };
  // Made-up names cost a query each. Calls of the API by a name of its own count by their credential.
  const guardLookup: RequestHandler = (request, response, next) =>
    kept.has(hostName(request)) || request.path.startsWith('/v1/') ? next() : guard(request, response, next);
  return Router({ caseSensitive: true }).use(catalogue).use(guardLookup, dispatch).use(tooManyRequests);
}

const sendError = replyToErrors((request, response, { status }) =>
  sendNotice(request, response, status, noticeOf(status, 'page_missing')),
);

const tooManyRequests: ErrorRequestHandler = (error, request, response, next) =>
  toApiError(error).status === 429 ? sendError(error, request, response, next) : next(error);

function restOfPortal(apiOrigin: string, guard: RequestHandler): Router {
  const router = Router({ strict: false, caseSensitive: true });
  router.use(guard);
  router.all('/', onlyMethod('GET'), redirectToCatalogue);
  router.use(sendError);
  router.use(refuseApiPaths(apiOrigin));
  router.use(sendMissingPage);
  return router;
}
