import { ApiError } from '../contracts/api-error';
import type { KnownNames } from '../../db/delivery-history';
import { isStatementTimeout } from '../../db/scope';

/** Throws 422 where a filter names what the caller does not have. */
export function judgeNames({ endpoint_known, result_known }: KnownNames): void {
  if (!endpoint_known)
    throw new ApiError(422, 'endpoint_id names no webhook endpoint of this environment', 'endpoint_id');
  if (!result_known)
    throw new ApiError(422, 'result_id names no interview result of this environment', 'result_id');
}

/** Where the database took too long it is the filter that has to change. */
export function refuseWideFilter(error: unknown): never {
  if (!isStatementTimeout(error)) throw error;
  throw new ApiError(
    422,
    'since must be given, or a later one: this filter has to look through too many deliveries',
    'since',
  );
}
