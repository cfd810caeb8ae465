import { isIP } from 'node:net';
import { Router } from 'express';
import type { RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import { replyToErrors } from '../http/error-reply';
import { hostName } from '../http/host-name';
import { onlyMethod } from '../http/only-method';
import { findPortal } from '../../db/portal-catalogue';
import { sendMissingPage, sendNotice } from './notice';
import { redirectToCatalogue, refuseApiPaths } from './portal-paths';
import type { VisitorDoors } from './visitor-doors';

type Deps = { database: VisitorDoors; apiOrigin: string; catalogue: Router };

/** How long it is kept whether a host name is a merchant's. */
const keptMs = 10_000;

/**
 * Hosts that are not the platform's own. A merchant's portal domain shows its catalogue and nothing else; every other
 * passes on what is not of a catalogue: whoever checks the API's health knows it by names of their own.
 */
export function merchantHosts({ database, apiOrigin, catalogue }: Deps): Router {
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
  const portal = restOfPortal(apiOrigin);
  const dispatch: RequestHandler = async (request, response, next) => {
    const host = hostName(request);
    const isAddress = isIP(host.replace(/^\[|\]$/g, '')) !== 0;
    if (!isAddress && host !== '' && (await isPortal(host))) portal(request, response, next);
    else next();
  };
  return Router({ caseSensitive: true }).use(catalogue).use(dispatch);
}

function restOfPortal(apiOrigin: string): Router {
  const router = Router({ strict: false, caseSensitive: true });
  router.all('/', onlyMethod('GET'), redirectToCatalogue);
  router.use(
    replyToErrors((request, response, { status }) => sendNotice(request, response, status, 'page_missing')),
  );
  router.use(refuseApiPaths(apiOrigin));
  router.use(sendMissingPage);
  return router;
}
