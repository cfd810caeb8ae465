import { Router } from 'express';
import type { OperationDeps } from '../../deps';
import type { AddressLimit } from '../http/address-limit';
import { errorReply } from '../http/error-reply';
import { onlyMethod } from '../http/only-method';
import { rememberProvenBy } from '../http/proven-credentials';
import { limitRate } from '../http/rate-limit';
import { buildPortalDocument } from '../openapi/portal-document';
import { ApiError } from '../operation/api-error';
import { createAuthenticateLink, linkKey } from './authenticate-link';
import { bindPortalOperation, linkOf } from './bind-portal-operation';
import type { LinkProofs } from './bind-portal-operation';
import type { LinkCredential, PortalOperation } from './define-portal-operation';

export type PortalOperationsSettings = {
  operations: readonly PortalOperation[];
  prove: LinkProofs['prove'];
  addressLimit: AddressLimit;
  isHttps: boolean;
  portalOrigin: string;
  /** False if the deployment has turned off the limits of calls. */
  isLimited: boolean;
};

/**
 * Serves the operations for candidates at `/portal/v1/<name>` and their description at `/portal/openapi`, on the hosts of
 * portals only.
 */
export function portalOperations(
  deps: OperationDeps,
  { operations, prove, addressLimit, isHttps, portalOrigin, isLimited }: PortalOperationsSettings,
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const proven = rememberProvenBy(linkKey);
  const leaveLink = addressLimit.authenticate(
    createAuthenticateLink(deps.links, { isHttps, portalOrigin }),
    proven,
    (response, link) => (response.locals['link'] = link),
  );
  const limits = new Map(
    operations.map(({ callsPerMinute }) => [
      callsPerMinute,
      limitRate(isLimited ? callsPerMinute : 0, (_request, { locals }) => rateKey(linkOf(locals))),
    ]),
  );

  for (const operation of operations)
    router.all(
      `/portal/v1/${operation.name}`,
      onlyMethod(operation.method),
      leaveLink,
      limits.get(operation.callsPerMinute) ?? [],
      bindPortalOperation(operation, deps, { proven, prove }),
    );
  const document = JSON.stringify(buildPortalDocument(operations, `${portalOrigin}/portal/v1`));
  router.all('/portal/openapi', onlyMethod('GET'), (_request, response) => {
    response.type('application/json').send(document);
  });
  router.use('/portal', () => {
    throw new ApiError(404, 'There is nothing at this address. See /portal/openapi for the operations.');
  });
  router.use(errorReply);
  return router;
}

/** The key leaves out the link's generation, so that a new link to the same interview does not start a new count. */
const rateKey = ({ enrolmentId, interviewId }: LinkCredential): string => `${enrolmentId} ${interviewId}`;
