import { ApiError } from '../contracts/api-error';
import { findLeadingBack } from '../../db/catalogue';
import { isPolicyRefusal } from '../../db/scope';
import type { Requester, Transaction } from '../../db/scope';

/** Whoever goes without a merchant, an admin, reaches platform-wide directories only. */
export const unknownDirectory = (caller: Requester): ApiError =>
  caller.kind === 'user_session' && caller.homeMerchantId === null && caller.askedMerchantId === null
    ? new ApiError(
        422,
        'merchant_id is required: there is no platform-wide directory with this id',
        'merchant_id',
      )
    : new ApiError(404, 'There is no directory with this id', 'id');

/** Throws 422 where one of the ids is the directory or leads to it, as it stands after the write. */
export async function judgeCycle(
  trx: Transaction,
  ids: readonly string[],
  merchantId: string | null,
  id: string,
): Promise<void> {
  if (ids.length === 0) return;
  const [entry] = await trx.rows<{ place: number }>(findLeadingBack(ids, merchantId, id));
  if (!entry) return;
  const name = `tags_sub[${entry.place}]`;
  throw new ApiError(422, `${name} leads back to this directory: a directory must not contain itself`, name);
}

/** Row-level security lets platform admins alone write what is public. */
export async function refusingPublic<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!isPolicyRefusal(error)) throw error;
    throw new ApiError(
      403,
      'visibility public is for platform admins: choose merchant_public, merchant_invite or merchant_unlisted',
      'visibility',
    );
  }
}
