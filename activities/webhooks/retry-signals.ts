import type { Client } from '@temporalio/client';
import type { Database } from '../../db/platform/database';
import type { Statement } from '../../db/platform/statement';
import { listDueRetries } from '../../db/webhooks/retries';
import { listUnmailedPauses } from '../../db/webhooks/webhook-pauses';
import { retriesStart, retrySignals } from '../../workflows/ids';
import type { EndpointScope, TaskQueues } from '../../workflows/ids';

/** Signals per run, because one costs as much CPU time as several hundred deliveries. */
const limitSignals = 20;
const deadlineMs = 4_000;
const firstId = '00000000-0000-0000-0000-000000000000';

type RetrySignalDeps = {
  database: Pick<Database, 'writeAsWorker'>;
  client: Pick<Client, 'workflow' | 'withDeadline'>;
  queues: TaskQueues;
  /** Counts a signal by its outcome. */
  count: (outcome: 'sent' | 'failed') => void;
};

/**
 * Signals the workflows of endpoints with failed deliveries, and starts those that are not running. Both functions throw
 * if Temporal is unavailable. The deliveries are in Postgres, so the next run finds what is left.
 */
export function createRetrySignals({ database, client, queues, count }: RetrySignalDeps) {
  /** The last endpoint that was signalled in the present pass through all endpoints. */
  let after = firstId;
  const signalAll = async (endpoints: Statement<EndpointScope>): Promise<EndpointScope[]> => {
    const found = await database.writeAsWorker((trx) => trx.rows(endpoints));
    for (const endpoint of found) {
      const start = { ...retriesStart(endpoint, queues), signal: retrySignals.changed };
      await client
        .withDeadline(Date.now() + deadlineMs, () => client.workflow.signalWithStart('webhookRetries', start))
        .catch((error: unknown) => {
          count('failed');
          throw error;
        });
      count('sent');
    }
    return found;
  };
  return {
    /** Signals the next endpoints with a retry that is due and not released, at most `limitSignals`. */
    signalDueRetries: async (): Promise<void> => {
      const signalled = await signalAll(listDueRetries(after, limitSignals));
      after = (signalled.length === limitSignals ? signalled.at(-1)?.endpoint_id : undefined) ?? firstId;
    },
    /** Signals endpoints that the platform paused and whose owners got no mail about it. The workflow sends the mail. */
    signalUnmailedPauses: () => signalAll(listUnmailedPauses(limitSignals)),
  };
}
