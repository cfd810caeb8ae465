import type { Router } from 'express';
import type { LinkCaller } from '../../db/platform/database';
import { getAttempt } from '../../db/taking/attempts';
import type { OperationDeps } from '../deps';
import { ApiError } from '../platform/operation/api-error';
import type { LinkCredential } from '../platform/portal/authenticate-link';
import { createOperationsRouter } from '../platform/portal/operations-router';
import type { PortalOperationsSettings } from '../platform/portal/operations-router';
import { graceMs } from './grace';
import { portalOperationList } from './operations';

/** Serves the operations for candidates (docs/taking.md#operations-of-the-portal). */
export const createCandidateOperations = (
  deps: OperationDeps,
  settings: Omit<PortalOperationsSettings, 'operations' | 'prove'>,
): Router =>
  createOperationsRouter(deps, {
    ...settings,
    operations: portalOperationList,
    prove: (link, caller) => proveLink(deps, link, caller),
  });

/** Throws 401 if the link does not exist, or if it has expired and its attempt is neither running nor under review. */
async function proveLink(
  { database }: Pick<OperationDeps, 'database'>,
  link: LinkCredential,
  caller: LinkCaller,
): Promise<void> {
  const [found] = await database.query(caller, getAttempt);
  if (!link.isExpired) return;
  const { state, deadline_at } = found?.attempt ?? {};
  const isRunning = state === 'running' && Date.parse(deadline_at ?? '') + graceMs > Date.now();
  if (isRunning || state === 'collected') return;
  throw new ApiError('token_expired', 'This link has expired. Ask the recruiter for a new one.');
}
