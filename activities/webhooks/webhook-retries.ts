import type { Database } from '../../db/platform/database';
import { wakeIdleSender } from '../../db/webhooks/replays';
import { findRetries, makeRetriesDue, releaseDueRetries } from '../../db/webhooks/retries';
import type { RetryState } from '../../db/webhooks/retries';

export type WebhookRetryActivities = ReturnType<typeof createWebhookRetryActivities>;

const maxRows = 1_000;

/** An endpoint's retries after `released` of them were released (db/webhooks/retries.ts). */
export type ReleasedRetries = RetryState & { released: number };

/** The activities with which the workflow `webhookRetries` decides when to retry. Each is safe to run twice. */
export function createWebhookRetryActivities({ database }: { database: Pick<Database, 'writeAsWorker'> }) {
  const repeat = async (changeRows: () => Promise<number>): Promise<number> => {
    let total = 0;
    for (let changed = maxRows; changed === maxRows; total += changed) changed = await changeRows();
    return total;
  };
  return {
    /** Releases the endpoint's retries that are due, so that the sender sends them, and returns what remains. */
    releaseRetries: async ({ endpoint_id }: { endpoint_id: string }): Promise<ReleasedRetries> => {
      const released = await repeat(() =>
        database.writeAsWorker(async (trx) => {
          const count = await trx.count(releaseDueRetries(endpoint_id, maxRows));
          if (count > 0) await trx.rows(wakeIdleSender);
          return count;
        }),
      );
      const state = await database.writeAsWorker((trx) => trx.one(findRetries(endpoint_id)));
      return { ...state, released };
    },

    /**
     * Makes one waiting retry due, or all of them if `delivery_id` is null, except those that were attempted after the
     * request (`asked_at`).
     */
    retryNow: async (asked: {
      endpoint_id: string;
      delivery_id: string | null;
      asked_at: string;
    }): Promise<void> => {
      const makeDue = makeRetriesDue(asked.endpoint_id, asked.delivery_id, asked.asked_at, maxRows);
      await repeat(() => database.writeAsWorker((trx) => trx.count(makeDue)));
    },
  };
}
