import { Router } from 'express';
import type { LinkCaller } from '../../../db/platform/database';
import type { OperationDeps } from '../../deps';
import type { OperationAccess } from '../http/access';
import type { AddressLimit } from '../http/address-limit';
import { bindOperation, storeCredential } from '../http/bind-operation';
import { errorReply } from '../http/error-reply';
import { onlyMethod } from '../http/only-method';
import { createProvenCache } from '../http/proven-credentials';
import type { CreateLimit, Limit } from '../http/rate-limit';
import { buildPortalDocument } from '../openapi/portal-document';
import { ApiError } from '../operation/api-error';
import { callsPerMinuteOf } from '../operation/define-operation';
import type { PortalOperation } from '../operation/define-operation';
import { createAuthenticateLink, linkCaller, linkKey } from './authenticate-link';
import type { LinkCredential } from './authenticate-link';

export type PortalOperationsSettings = {
  operations: readonly PortalOperation[];
  /**
   * Asks the database whether the link works. Throws 401 if the link was revoked, or if it has expired and no attempt
   * is running.
   */
  prove: (link: LinkCredential, caller: LinkCaller) => Promise<void>;
  addressLimit: AddressLimit;
  createLimit: CreateLimit;
  isHttps: boolean;
  portalOrigin: string;
  /** False if the deployment has turned off the limits of calls. */
  isLimited: boolean;
};

/** The key leaves out the link's generation, so that a new link to the same interview does not start a new count. */
const rateKey = ({ enrolmentId, interviewId }: LinkCredential): string => `${enrolmentId} ${interviewId}`;

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
  const proven = createProvenCache(linkKey);
  const authenticate = addressLimit.authenticate(
    createAuthenticateLink(deps.links, { isHttps, portalOrigin }),
    proven,
    storeCredential,
  );
  const access: Omit<OperationAccess<LinkCredential, LinkCaller>, 'limit'> = {
    proven,
    rateKey,
    laneOf: rateKey,
    profileIdOf: () => null,
    // A text of 20,000 characters takes up to 240 KB.
    maxJsonBytes: 262_144,
    takesKeys: false,
    toCaller: linkCaller,
    prove,
    check: async (link, caller, wasProven) => {
      if (wasProven && link.isExpired) await prove(link, caller);
    },
  };
  // Browsers do not store the replies.
  router.use('/portal/v1', (_request, response, next) => {
    response.setHeader('cache-control', 'no-store');
    next();
  });
  /** Operations with the same number of calls share a limit. */
  const limits = new Map<number, Limit>();
  for (const operation of operations) {
    const callsPerMinute = callsPerMinuteOf(operation);
    const limit =
      limits.get(callsPerMinute) ?? createLimit(`portal ${callsPerMinute}`, isLimited ? callsPerMinute : 0);
    limits.set(callsPerMinute, limit);
    router.all(
      `/portal/v1/${operation.name}`,
      onlyMethod(operation.method),
      authenticate,
      bindOperation(operation, deps, { ...access, limit }),
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
