import type { WorkflowStartCounts } from '../db/platform/workflow-starts';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { IssueCounts } from '../db/support/issue-reports';
import type { ModelCall } from '../db/interviews/interview-building';
import type { MailKind } from '../db/people/mails';
import type { OneMail } from './platform/one-mail';
import { createWebhookGauges } from './webhooks/sender/gauges';
import { createSenderMetrics } from './webhooks/sender/metrics';

export type WorkerMetrics = ReturnType<typeof createWorkerMetrics>;

/** Creates the worker's metrics in their own registry. */
export function createWorkerMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const calls = new Histogram({
    name: 'model_call_seconds',
    help: 'Calls of the model by outcome',
    labelNames: ['prompt_version', 'outcome'],
    buckets: [0.1, 0.5, 1, 2, 5, 10, 20],
    registers,
  });
  const tokens = new Counter({
    name: 'model_tokens_total',
    help: 'Tokens by direction',
    labelNames: ['prompt_version', 'direction'],
    registers,
  });
  const starts = new Counter({
    name: 'workflow_starts_relayed_total',
    help: 'Workflow starts taken from the outbox, also those that failed and wait again',
    registers,
  });
  const mails = new Counter({
    name: 'mails_total',
    help: 'Mails handed to the provider, by kind and outcome',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const featureRequests = new Counter({
    name: 'feature_request_attempts_total',
    help: 'Attempts to post a feature request on the board, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const retrySignals = new Counter({
    name: 'webhook_retry_signals_total',
    help: 'Signals to the workflows of endpoints in trouble; what is not sent is left to the maintenance',
    labelNames: ['outcome'],
    registers,
  });
  const issueAttempts = new Counter({
    name: 'issue_report_attempts_total',
    help: 'Attempts to hand a technical issue to support, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const issues = new Gauge({
    name: 'issue_reports',
    help: 'Technical issues that support does not have: queued, or given up after a week',
    labelNames: ['state'],
    registers,
  });
  const issueAge = new Gauge({
    name: 'issue_report_age_seconds',
    help: 'Age of the oldest technical issue that support does not have',
    registers,
  });
  const startsWaiting = new Gauge({
    name: 'workflow_starts_waiting',
    help: 'Workflow starts that wait in the outbox, counted up to 100,000',
    registers,
  });
  const startsAge = new Gauge({
    name: 'workflow_starts_age_seconds',
    help: 'Age of the oldest workflow start in the outbox',
    registers,
  });
  return {
    registry,
    webhooks: { ...createSenderMetrics(registry), ...createWebhookGauges(registry) },
    countFeatureRequest: (outcome: 'created' | 'found' | 'failed') => featureRequests.inc({ outcome }),
    countModelCall: ({
      prompt_version,
      outcome,
      duration_ms,
      prompt_tokens,
      completion_tokens,
    }: ModelCall) => {
      calls.observe({ prompt_version, outcome }, duration_ms / 1000);
      tokens.inc({ prompt_version, direction: 'prompt' }, prompt_tokens ?? 0);
      tokens.inc({ prompt_version, direction: 'completion' }, completion_tokens ?? 0);
    },
    countMail: (kind: MailKind | OneMail['kind'], outcome: 'sent' | 'rejected' | 'failed') =>
      mails.inc({ kind, outcome }),
    countIssueAttempt: (outcome: 'sent' | 'failed') => issueAttempts.inc({ outcome }),
    showIssues: ({ queued, gave_up, oldest_age_s }: IssueCounts) => {
      issues.set({ state: 'queued' }, queued);
      issues.set({ state: 'gave_up' }, gave_up);
      issueAge.set(oldest_age_s);
    },
    showStarts: ({ waiting, oldest_age_s }: WorkflowStartCounts) => {
      startsWaiting.set(waiting);
      startsAge.set(oldest_age_s);
    },
    countRetrySignal: (outcome: 'sent' | 'failed' | 'dropped') => retrySignals.inc({ outcome }),
    countOutboxStarts: (count: number) => starts.inc(count),
  };
}

/**
 * Serves `/metrics`, `/healthz` (event loop) and `/readyz` on their own port. If `isReady` rejects, `/readyz` returns
 * 503.
 */
export function serveMetrics(
  { registry }: WorkerMetrics,
  { host, port, isReady }: { host: string; port: number; isReady: () => Promise<boolean> },
): Promise<Server> {
  const server = createServer(async (request, response) => {
    if (request.url === '/metrics') {
      response.setHeader('content-type', registry.contentType);
      response.end(await registry.metrics());
    } else if (request.url === '/healthz') response.end('ok');
    else {
      response.statusCode =
        request.url !== '/readyz' ? 404 : (await isReady().catch(() => false)) ? 200 : 503;
      response.end(response.statusCode === 200 ? 'ready' : 'not ready');
    }
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}
