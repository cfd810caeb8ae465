import { z } from 'zod';
import type { Transaction } from '../../db/platform/database';
import { lockResultAttempt } from '../../db/results/result-decisions';
import { ApiError } from '../platform/operation/api-error';

/** The field in which a caller names the attempt that a change of a result is about. */
export const attemptField = z.int().min(1).max(1_000_000).optional().meta({
  description:
    'The attempt that you decide about, as `attempt` in `job-interview-details`. If the candidate has submitted another one since, or the result was reopened, the reply is a 409 `state_conflict` and nothing is written. Left out: the attempt that is the result now.',
});

/**
 * Throws 409 if the caller has named an attempt that is not the result now. The result stays locked, so that this holds until
 * the end of the transaction.
 */
export async function requireCurrentAttempt(
  trx: Transaction,
  resultId: string,
  attempt: number | undefined,
): Promise<void> {
  if (attempt === undefined) return;
  const current = await trx.maybeOne(lockResultAttempt(resultId));
  if (current && current.attempt !== attempt)
    throw new ApiError(
      'state_conflict',
      `Attempt ${current.attempt} is the result now, not attempt ${attempt}. Nothing was changed.`,
      'attempt',
    );
}
