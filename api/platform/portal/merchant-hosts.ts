import { isIP } from 'node:net';
import { Router } from 'express';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import { listPortalDomains } from '../../../db/catalogue/public';
import type { Database } from '../../../db/platform/database';
import { hostName } from '../http/host-name';
import { onlyMethod } from '../http/only-method';
import { sendMissingPage } from './notice';
import { redirectToCatalogue, rejectApiPaths } from './portal-paths';

type Deps = {
  database: Pick<Database, 'query'>;
  visitorLimits: RequestHandler[];
  apiOrigin: string;
  /** The operations for candidates. */
  operations: Router;
  /** The pages on which candidates take interviews. */
  candidatePages: Router;
  /** Shows errors as pages. */
  errorPages: ErrorRequestHandler[];
  catalogue: Router;
};

/** How long the list of portal domains is cached, in milliseconds. */
const keptMs = 10_000;
const noPortal = { kind: 'portal_visit', domain: null, merchantId: null, profileId: null } as const;

/**
 * Handles requests for hosts other than the platform's own. A merchant's portal domain serves only the catalogue, and
 * the pages and operations for candidates. For an unknown host, all requests outside the catalogue go to the next handler,
 * because health checks may use a host name of their own. Domains are kept in memory, so an invented host costs no
 * query.
 */
export function merchantHosts({
  database,
  visitorLimits,
  apiOrigin,
  operations,
  candidatePages,
  errorPages,
  catalogue,
}: Deps): Router {
  const domains = new LRUCache<'all', ReadonlySet<string>>({
    max: 1,
    ttl: keptMs,
    fetchMethod: async () => {
      const rows = await database.query(noPortal, listPortalDomains);
      return new Set(rows.map(({ domain }) => domain));
    },
    // Uses the old list if the database is unavailable, so that health checks still reach the API under any host
    // name.
    allowStaleOnFetchRejection: true,
  });
  const isPortal = async (host: string): Promise<boolean> => (await domains.forceFetch('all')).has(host);
  const portal = restOfPortal(apiOrigin, [operations, ...visitorLimits, candidatePages], errorPages);
  const dispatch: RequestHandler = async (request, response, next) => {
    const host = hostName(request);
    const isAddress = isIP(host.replace(/^\[|\]$/g, '')) !== 0;
    if (!isAddress && host !== '' && (await isPortal(host))) portal(request, response, next);
    else next();
  };
  return Router({ caseSensitive: true }).use(catalogue).use(dispatch);
}

function restOfPortal(apiOrigin: string, pages: RequestHandler[], errorPages: ErrorRequestHandler[]): Router {
  const router = Router({ strict: false, caseSensitive: true });
  router.use(pages);
  router.all('/', onlyMethod('GET'), redirectToCatalogue);
  router.use(errorPages);
  router.use(rejectApiPaths(apiOrigin));
  router.use(sendMissingPage);
  return router;
}
