import { isStatementTimeout } from '../../db/platform/database';
import type { KnownNames } from '../../db/webhooks/delivery-history';
import { ApiError, throwAll } from '../platform/operation/api-error';

/** Throws 422 if a filter names an endpoint or result that does not exist in the caller's environment. */
export function validateNames({ endpoint_known, result_known }: KnownNames): void {
  const wrong: ApiError[] = [];
  if (!endpoint_known)
    wrong.push(
      new ApiError(
        'unknown_id',
        'endpoint_id does not name a webhook endpoint of this environment.',
        'endpoint_id',
      ),
    );
  if (!result_known)
    wrong.push(
      new ApiError(
        'unknown_id',
        'result_id does not name an interview result of this environment.',
        'result_id',
      ),
    );
  throwAll(wrong);
}

/**
 * Always throws. A query that took too long becomes a 422, because the caller has to narrow the filter. Other errors
 * are thrown unchanged.
 */
export function rejectWideFilter(error: unknown): never {
  if (!isStatementTimeout(error)) throw error;
  throw new ApiError(
    'too_many_matches',
    'This filter has to look through too many deliveries. Set a later `since`.',
    'since',
  );
}
