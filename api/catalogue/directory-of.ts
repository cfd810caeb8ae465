import { wouldFormCycle } from '../../db/catalogue/catalogue';
import { isPolicyError } from '../../db/platform/database';
import type { Requester, Transaction } from '../../db/platform/database';
import { ApiError } from '../platform/operation/api-error';
import { maxListedBelow } from './directory-fields';

/**
 * The error for a directory that is not found. It asks an admin without a merchant for `merchant_id`, because such an
 * admin reaches only platform-wide directories.
 */
export const unknownDirectory = (caller: Requester): ApiError =>
  caller.kind === 'user_session' && caller.homeMerchantId === null && caller.askedMerchantId === null
    ? new ApiError(
        'required',
        'There is no platform-wide directory with this id. Send merchant_id to read a directory of a merchant.',
        'merchant_id',
      )
    : new ApiError('not_found', 'There is no directory with this id.', 'id');

/**
 * Throws 422 if one of `added`, the new entries of `tags_sub`, would make the directory its own descendant. The other
 * entries were already checked when they were added.
 */
export async function validateSubDirectories(
  trx: Transaction,
  { merchantId, id, tags_sub }: { merchantId: string | null; id: string; tags_sub: readonly string[] },
  added: readonly string[],
): Promise<void> {
  const problem = await findLeadingBack(trx, added, merchantId, id);
  if (!problem) return;
  if (problem === 'too_many')
    throw new ApiError(
      'too_many_matches',
      `The directories in tags_sub and all directories below them list more than ${maxListedBelow} entries in total. Send fewer directories in tags_sub.`,
      'tags_sub',
    );
  const name = `tags_sub[${tags_sub.indexOf(problem.id)}]`;
  throw new ApiError(
    'conflicting_fields',
    `${name} leads back to this directory. A directory must not contain itself.`,
    name,
  );
}

/**
 * Throws 422 if the directory `added` cannot be appended to this parent, because the parent is among its descendants.
 */
export async function validateParent(
  trx: Transaction,
  parent: { merchantId: string | null; id: string },
  added: string,
): Promise<void> {
  const problem = await findLeadingBack(trx, [added], parent.merchantId, parent.id);
  if (problem === 'too_many')
    throw new ApiError(
      'too_many_matches',
      `The new directory and all directories below it list more than ${maxListedBelow} entries in total. Send fewer directories in tags_sub.`,
      'parent_tag',
    );
  if (problem)
    throw new ApiError(
      'conflicting_fields',
      'parent_tag must not be a directory below the new one.',
      'parent_tag',
    );
}

/**
 * Waits for a write and throws 403 if row-level security rejected it: only platform admins may write public
 * directories.
 */
export async function rejectPublicWrite<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!isPolicyError(error)) throw error;
    throw new ApiError(
      'admins_only',
      'Only platform admins can set visibility to public. Choose merchant_public, merchant_invite or merchant_unlisted.',
      'visibility',
    );
  }
}

/**
 * Returns the first of `ids` that is `id` itself or, after the write, has `id` among its descendants. Returns
 * undefined if there is none, and `too_many` if the search reached its limit.
 */
async function findLeadingBack(
  trx: Transaction,
  ids: readonly string[],
  merchantId: string | null,
  id: string,
): Promise<{ id: string } | 'too_many' | undefined> {
  const doLead = async (count: number): Promise<boolean | null> => {
    const some = wouldFormCycle(ids.slice(0, count), merchantId, id, maxListedBelow);
    return (await trx.one(some)).leads;
  };
  if (ids.length === 0) return undefined;
  const leads = await doLead(ids.length);
  if (!leads) return leads === null ? 'too_many' : undefined;
  let [without, within] = [0, ids.length];
  while (within - without > 1) {
    const middle = Math.floor((without + within) / 2);
    if (await doLead(middle)) within = middle;
    else without = middle;
  }
  const found = ids[within - 1];
  return found === undefined ? undefined : { id: found };
}
