import { deleteExpiredIdempotencyKeys } from '../db/idempotency';
import { deleteAbandonedInterviews } from '../db/interview-building';
import type { Database } from '../db/scope';
import { deleteExpiredRefreshTokens } from '../db/sessions';

/** Removes what has outlived its time: abandoned unbuilt interviews, idempotency keys, refresh tokens. */
export const sweep = (database: Pick<Database, 'asWorker'>): Promise<void> =>
  database.asWorker(async (trx) => {
    await trx.count(deleteAbandonedInterviews);
    await trx.count(deleteExpiredIdempotencyKeys);
    await trx.count(deleteExpiredRefreshTokens);
  });
