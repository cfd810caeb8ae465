import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { retriesStart, retrySignals } from '../../../workflows/ids';
import type { EndpointScope, TaskQueues } from '../../../workflows/ids';
import { signals } from './limits';

type WorkflowNotifierDeps = {
  client: Pick<Client, 'workflow' | 'withDeadline'>;
  queues: TaskQueues;
  log: Pick<Logger, 'warn'>;
  onSignal: (outcome: 'sent' | 'failed' | 'dropped') => void;
};

const spacingMs = 1_000 / signals.perSecond;

/**
 * Signals the workflows of endpoints with failed deliveries, and starts workflows that are not running. Callers do not
 * wait. A cleanup job (missed-signals.ts) repeats signals that are dropped or fail.
 */
export function createWorkflowNotifier({ client, queues, log, onSignal }: WorkflowNotifierDeps) {
  const waiting = new Map<string, EndpointScope>();
  /** The time of each endpoint's last signal, oldest first. */
  const signalledAt = new Map<string, number>();
  const inFlight = new Set<Promise<void>>();
  let freeAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const send = async (endpoint: EndpointScope): Promise<void> => {
    const start = { ...retriesStart(endpoint, queues), signal: retrySignals.changed };
    try {
      await client.withDeadline(Date.now() + signals.deadlineMs, () =>
        client.workflow.signalWithStart('webhookRetries', start),
      );
      onSignal('sent');
    } catch (err) {
      onSignal('failed');
      const isResting = freeAt > performance.now() + spacingMs;
      freeAt = performance.now() + signals.restMs;
      if (!isResting) log.warn({ err, endpoint_id: endpoint.endpoint_id }, 'failed to signal retries');
    }
  };
  const drain = (): void => {
    const now = performance.now();
    for (const [id, at] of signalledAt) if (at + signals.endpointMs <= now) signalledAt.delete(id);
    for (const [id, endpoint] of waiting) {
      if (freeAt > now) break;
      if (signalledAt.has(id)) continue;
      waiting.delete(id);
      signalledAt.set(id, now);
      freeAt = now + spacingMs;
      const sent = send(endpoint).finally(() => inFlight.delete(sent));
      inFlight.add(sent);
    }
    timer = waiting.size > 0 ? setTimeout(drain, Math.max(spacingMs, freeAt - now)) : undefined;
  };

  return {
    notify: (endpoint: EndpointScope): void => {
      const isNew = !waiting.has(endpoint.endpoint_id);
      if (isClosed || (isNew && waiting.size >= signals.maxWaiting)) return onSignal('dropped');
      waiting.set(endpoint.endpoint_id, endpoint);
      if (timer === undefined) drain();
    },
    /** Drops the waiting signals. Resolves when the calls in flight have ended. */
    close: async (): Promise<void> => {
      isClosed = true;
      clearTimeout(timer);
      waiting.clear();
      await Promise.all(inFlight);
    },
  };
}
