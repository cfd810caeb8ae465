import type { Database } from '../../db/platform/database';
import { listOverdueRetries } from '../../db/webhooks/retries';
import { listUnmailedPauses } from '../../db/webhooks/webhook-pauses';
import type { EndpointScope } from '../../workflows/ids';

/** The notifier sends 20 signals per second, so it needs 5 s for this many endpoints. */
const limitSignals = 100;
const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * Finds endpoints whose workflows missed a signal. Signals get lost if there are too many of them, while Temporal is
 * unavailable, or if the worker dies. Both functions return the number of endpoints that they signalled.
 */
export function createMissedSignals(
  database: Pick<Database, 'writeAsWorker'>,
  notify: (endpoint: EndpointScope) => void,
  lateMs = 3_000,
) {
  let after = firstId;
  return {
    /** Signals the next endpoints with retries that are overdue by `lateMs` and not released, at most `limitSignals`. */
    signalOverdueRetries: async (): Promise<number> => {
      const page = listOverdueRetries(after, limitSignals, lateMs);
      const found = await database.writeAsWorker((trx) => trx.rows(page));
      after = (found.length === limitSignals ? found.at(-1)?.endpoint_id : undefined) ?? firstId;
      found.forEach(notify);
      return found.length;
    },

    /** Signals endpoints that the platform paused and whose owners got no mail about it. The workflow sends the mail. */
    signalUnmailedPauses: async (): Promise<number> => {
      const found = await database.writeAsWorker((trx) => trx.rows(listUnmailedPauses(limitSignals)));
      found.forEach(notify);
      return found.length;
    },
  };
}
