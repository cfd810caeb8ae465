import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { retriesStart, retrySignals } from '../../../workflows/ids';
import type { EndpointScope, TaskQueues } from '../../../workflows/ids';

type RetrySignallerDeps = {
  client: Pick<Client, 'workflow' | 'withDeadline'>;
  queues: TaskQueues;
  log: Pick<Logger, 'warn'>;
  onSignal: (outcome: 'sent' | 'failed' | 'dropped') => void;
};
export type RetrySignaller = ReturnType<typeof createRetrySignaller>;

/**
 * The maximum number of signals per second to all endpoints together. A call to Temporal costs as much CPU time as
 * several hundred deliveries (docs/webhooks.md#the-sender).
 */
const signalsPerSecond = 20;
const spacingMs = 1_000 / signalsPerSecond;
const endpointSpacingMs = 1_000;
/**
 * The pause after a failed signal, because Temporal is probably unavailable. A cleanup job (retry-maintenance.ts)
 * repeats the signals that are dropped during the pause.
 */
const restMs = 2_000;
const deadlineMs = 4_000;
const limitWaiting = 1_000;

/**
 * Signals the workflows of endpoints with failed deliveries, and starts workflows that are not running. Callers do not
 * wait. The signaller sends at most one signal per second to an endpoint and twenty in total. A cleanup job
 * (retry-maintenance.ts) repeats signals that are dropped because there are too many or Temporal is unavailable.
 */
export function createRetrySignaller({ client, queues, log, onSignal }: RetrySignallerDeps) {
  const waiting = new Map<string, EndpointScope>();
  /** The time of each endpoint's last signal, oldest first. */
  const signalledAt = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  let freeAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const send = async (endpoint: EndpointScope): Promise<void> => {
    try {
      await client.withDeadline(Date.now() + deadlineMs, () =>
        client.workflow.signalWithStart('webhookRetries', {
          ...retriesStart(endpoint, queues),
          signal: retrySignals.failed,
        }),
      );
      onSignal('sent');
    } catch (err) {
      onSignal('failed');
      const isResting = freeAt > performance.now() + spacingMs;
      freeAt = performance.now() + restMs;
      if (!isResting) log.warn({ err, endpoint_id: endpoint.endpoint_id }, 'failed to signal retries');
    }
  };

  const drain = (): void => {
    timer = undefined;
    const now = performance.now();
    for (const [id, at] of signalledAt) {
      if (at + endpointSpacingMs > now) break;
      signalledAt.delete(id);
    }
    for (const [id, endpoint] of waiting) {
      if (freeAt > now) break;
      if (signalledAt.has(id)) continue;
      waiting.delete(id);
      signalledAt.set(id, now);
      freeAt = now + spacingMs;
      const sent = send(endpoint).finally(() => underWay.delete(sent));
      underWay.add(sent);
    }
    if (waiting.size > 0) timer = setTimeout(drain, Math.max(spacingMs, freeAt - now));
  };

  return {
    signal: (endpoint: EndpointScope): void => {
      const isNew = !waiting.has(endpoint.endpoint_id);
      if (isClosed || (isNew && waiting.size >= limitWaiting)) return onSignal('dropped');
      waiting.set(endpoint.endpoint_id, endpoint);
      if (timer === undefined) drain();
    },
    /** Drops the waiting signals. Resolves when the calls in flight have ended. */
    close: async (): Promise<void> => {
      isClosed = true;
      clearTimeout(timer);
      waiting.clear();
      await Promise.all(underWay);
    },
  };
}
