import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export type ApiMetrics = ReturnType<typeof createApiMetrics>;

/** Creates the API's metrics in a registry of their own. */
export function createApiMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests by operation and status',
    labelNames: ['operation', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'http_request_seconds',
    help: 'Time to reply by operation',
    labelNames: ['operation'],
    buckets,
    registers,
  });
  const databaseSeconds = new Histogram({
    name: 'http_request_database_seconds',
    help: 'Time spent in transactions, including the wait for a connection',
    labelNames: ['operation'],
    buckets,
    registers,
  });
  return {
    registry,
    countRequest: (operation: string, status: number, ms: number, databaseMs: number) => {
      requests.inc({ operation, status });
      seconds.observe({ operation }, ms / 1000);
      if (databaseMs > 0) databaseSeconds.observe({ operation }, databaseMs / 1000);
    },
    countWorkflow: workflowCounter(registry),
    setDecisionsStopped: decisionsGauge(registry),
  };
}

/** Adds the counter of the workflows that requests start, and returns the function that counts one. */
export function workflowCounter(registry: Registry) {
  const workflows = new Counter({
    name: 'workflow_starts_total',
    help: 'Workflows started by a request, by outcome',
    labelNames: ['workflow', 'outcome'],
    registers: [registry],
  });
  return (workflow: string, outcome: 'completed' | 'failed' | 'skipped') =>
    workflows.inc({ workflow, outcome });
}

/** Adds the gauge of decisions that are not asked for, and returns the function that sets it. */
export function decisionsGauge(registry: Registry) {
  const stopped = new Gauge({
    name: 'interview_decisions_stopped',
    help: '1 while interviews go on without asking for decisions, because nothing accepts them',
    registers: [registry],
  });
  return (isStopped: boolean) => stopped.set(isStopped ? 1 : 0);
}

/** Serves `/metrics` on a separate port, so that the API's origin does not expose it. */
export function serveMetrics(
  { registry }: Pick<ApiMetrics, 'registry'>,
  host: string,
  port: number,
): Promise<Server> {
  const server = createServer(async (request, response) => {
    response.statusCode = request.url === '/metrics' ? 200 : 404;
    response.setHeader('content-type', registry.contentType);
    response.end(response.statusCode === 200 ? await registry.metrics() : 'not found\n');
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}
