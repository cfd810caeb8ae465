import type { Transaction } from '../../db/platform/database';
import { lockEndpoint } from '../../db/webhooks/webhook-endpoints';
import type { LockedEndpoint } from '../../db/webhooks/webhook-endpoints';
import { ApiError } from '../platform/operation/api-error';

export const unknownEndpoint = () =>
  new ApiError('not_found', 'There is no webhook endpoint with this endpoint_id.', 'endpoint_id');

/** Returns the endpoint of a call and locks it until the transaction ends. Throws a 404 if it does not exist. */
export async function lockExistingEndpoint(trx: Transaction, id: string): Promise<LockedEndpoint> {
  const endpoint = await trx.maybeOne(lockEndpoint(id));
  if (!endpoint) throw unknownEndpoint();
  return endpoint;
}
