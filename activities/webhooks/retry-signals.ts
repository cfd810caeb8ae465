import type { Client } from '@temporalio/client';
import type { Database } from '../../db/platform/database';
import { listDueRetries } from '../../db/webhooks/retries';
import { listUnmailedPauses } from '../../db/webhooks/webhook-pauses';
import { retriesStartOptions, retrySignals } from '../../workflows/ids';
import type { EndpointScope, TaskQueues } from '../../workflows/ids';

/** Signals per run, because one costs as much CPU time as several hundred deliveries. */
const limitSignals = 20;
const deadlineMs = 4_000;
const firstId = '00000000-0000-0000-0000-000000000000';

type RetrySignalDeps = {
  database: Pick<Database, 'queryAsWorker'>;
  client: Pick<Client, 'workflow' | 'withDeadline'>;
  queues: TaskQueues;
  /** Counts a signal by its outcome. */
  count: (outcome: 'sent' | 'failed') => void;
};

/**
 * Signals workflows of endpoints with due retries or unmailed pauses, and starts those that are not running. Both
 * functions signal at most `limitSignals` endpoints, and throw if a signal failed. The next run finds what is left.
 */
export function createRetrySignals({ database, client, queues, count }: RetrySignalDeps) {
  const signal = (endpoint: EndpointScope) => {
    const start = { ...retriesStartOptions(endpoint, queues), signal: retrySignals.changed };
    return client.workflow.signalWithStart('webhookRetries', start);
  };
  const signalAll = async (endpoints: readonly EndpointScope[]): Promise<void> => {
    const signals = () => Promise.allSettled(endpoints.map(signal));
    const results = await client.withDeadline(Date.now() + deadlineMs, signals);
    for (const { status } of results) count(status === 'fulfilled' ? 'sent' : 'failed');
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  };
  /** The last endpoint of the present pass through all endpoints. */
  let after = firstId;
  return {
    /** Signals the next endpoints with a retry that is due and not released. */
    signalDueRetries: async (): Promise<void> => {
      const found = await database.queryAsWorker(listDueRetries(after, limitSignals));
      after = (found.length === limitSignals ? found.at(-1)?.endpoint_id : undefined) ?? firstId;
      await signalAll(found);
    },
    /** Signals endpoints that the platform paused and whose owners got no mail about it. The workflow sends the mail. */
    signalUnmailedPauses: async (): Promise<void> =>
      signalAll(await database.queryAsWorker(listUnmailedPauses(limitSignals))),
  };
}
