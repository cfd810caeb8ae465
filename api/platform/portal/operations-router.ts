import { Router } from 'express';
import type { OperationDeps } from '../../deps';
import type { AddressLimit } from '../http/address-limit';
import { errorReply } from '../http/error-reply';
import { onlyMethod } from '../http/only-method';
import { rememberProvenBy } from '../http/proven-credentials';
import type { CreateLimit, Limit } from '../http/rate-limit';
import { buildPortalDocument } from '../openapi/portal-document';
import { ApiError } from '../operation/api-error';
import { createAuthenticateLink, linkKey } from './authenticate-link';
import { bindPortalOperation } from './bind-portal-operation';
import type { LinkChecks } from './bind-portal-operation';
import type { PortalOperation } from './define-portal-operation';

export type PortalOperationsSettings = {
  operations: readonly PortalOperation[];
  prove: LinkChecks['prove'];
  addressLimit: AddressLimit;
  createLimit: CreateLimit;
  isHttps: boolean;
  portalOrigin: string;
  /** False if the deployment has turned off the limits of calls. */
  isLimited: boolean;
};

/**
 * Serves the operations for candidates at `/portal/v1/<name>` and their description at `/portal/openapi`, on the hosts of
 * portals only.
 */
export function createOperationsRouter(
  deps: OperationDeps,
  {
    operations,
    prove,
    addressLimit,
    createLimit,
    isHttps,
    portalOrigin,
    isLimited,
  }: PortalOperationsSettings,
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const proven = rememberProvenBy(linkKey);
  const leaveLink = addressLimit.authenticate(
    createAuthenticateLink(deps.links, { isHttps, portalOrigin }),
    proven,
    (response, link) => (response.locals['link'] = link),
  );
  /** Operations with the same number of calls share a limit. */
  const limits = new Map<number, Limit>();
  for (const operation of operations) {
    const { name, method, callsPerMinute } = operation;
    const limit =
      limits.get(callsPerMinute) ?? createLimit(`portal ${callsPerMinute}`, isLimited ? callsPerMinute : 0);
    limits.set(callsPerMinute, limit);
    router.all(
      `/portal/v1/${name}`,
      onlyMethod(method),
      leaveLink,
      bindPortalOperation(operation, deps, { proven, prove, limit }),
    );
  }
  const document = JSON.stringify(buildPortalDocument(operations, `${portalOrigin}/portal/v1`));
  router.all('/portal/openapi', onlyMethod('GET'), (_request, response) => {
    response.type('application/json').send(document);
  });
  router.use('/portal', () => {
    throw new ApiError(
      'not_found',
      'There is nothing at this address. See /portal/openapi for the operations.',
    );
  });
  router.use(errorReply);
  return router;
}
