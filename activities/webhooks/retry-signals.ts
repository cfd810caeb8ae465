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
/** After this many failed signals a run ends, because Temporal is probably unavailable. */
const limitFailures = 3;
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
 * after a failed signal, but go on with the other endpoints first. The next run finds what is left, in Postgres.
 */
export function createRetrySignals({ database, client, queues, count }: RetrySignalDeps) {
  /** The last endpoint of the present pass through all endpoints. */
  let after = firstId;
  const signalAll = async (
    endpoints: Statement<EndpointScope>,
    onTried: (endpoint: EndpointScope) => void = () => undefined,
  ): Promise<number> => {
    const found = await database.writeAsWorker((trx) => trx.rows(endpoints));
    const errors: unknown[] = [];
    for (const endpoint of found) {
      if (errors.length >= limitFailures) break;
      const start = { ...retriesStart(endpoint, queues), signal: retrySignals.changed };
      onTried(endpoint);
      await client
        .withDeadline(Date.now() + deadlineMs, () => client.workflow.signalWithStart('webhookRetries', start))
        .then(
          () => count('sent'),
          (error: unknown) => {
            count('failed');
            errors.push(error);
          },
        );
    }
    if (errors.length > 0) throw errors[0];
    return found.length;
  };
  return {
    /** Signals the next endpoints with a retry that is due and not released, at most `limitSignals`. */
    signalDueRetries: async (): Promise<void> => {
      const signalled = await signalAll(listDueRetries(after, limitSignals), ({ endpoint_id }) => {
        after = endpoint_id;
      });
      if (signalled < limitSignals) after = firstId;
    },
    /** Signals endpoints that the platform paused and whose owners got no mail about it. The workflow sends the mail. */
    signalUnmailedPauses: () => signalAll(listUnmailedPauses(limitSignals)),
  };
}
