import { ApiError } from '../contracts/api-error';
import { findUrlProblem } from '../contracts/webhook-url';
import { lockEndpoint } from '../../db/webhook-endpoints';
import type { LockedEndpoint } from '../../db/webhook-endpoints';
import type { Transaction } from '../../db/scope';
import type { OperationDeps } from './deps';

export const unknownEndpoint = () =>
  new ApiError('not_found', 'There is no webhook endpoint with this endpoint_id', 'endpoint_id');

/** The endpoint of a call, held until its transaction ends. Throws 404. */
export async function takeEndpoint(trx: Transaction, id: string): Promise<LockedEndpoint> {
  const [endpoint] = await trx.rows<LockedEndpoint>(lockEndpoint(id));
  if (!endpoint) throw unknownEndpoint();
  return endpoint;
}

/** Throws 422 where this deployment sends nothing to that address. */
export function judgeUrl(url: string, { webhookTargets }: Pick<OperationDeps, 'webhookTargets'>): void {
  const problem = findUrlProblem(url, webhookTargets);
  if (problem !== undefined) throw new ApiError(422, `url ${problem}`, 'url');
}
