import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { ModelCall } from '../db/interviews/interview-building';
import type { MailKind, MessageChannel } from '../db/people/vocabulary';
import type { Database } from '../db/platform/database';
import type { WorkflowStartCounts } from '../db/platform/workflow-starts';
import type { ScoringCounts } from '../db/scoring/runs';
import type { IssueCounts } from '../db/support/technical-issues';
import type { WorkerConfig } from './config';
import { metricFactories } from './platform/instruments';
import type { OneMail } from './platform/one-mail';
import type { TextProblem } from './taking/check-text';
import type { DecidedTurn } from './taking/decide-turn';
import { createSenderMetrics, createWebhookGauges } from './webhooks/webhook-metrics';

export type WorkerMetrics = ReturnType<typeof createWorkerMetrics>;

/** Creates the worker's metrics in their own registry. */
export function createWorkerMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { counter, gauge, histogram } = metricFactories(registry);
  const calls = histogram(
    'model_call_seconds',
    'Calls of the model by outcome',
    [0.1, 0.5, 1, 2, 5, 10, 20],
    'prompt_version',
    'outcome',
  );
  const tokens = counter('model_tokens_total', 'Tokens by direction', 'prompt_version', 'direction');
  const starts = counter(
    'workflow_starts_relayed_total',
    'Workflow starts taken from the outbox, including failed ones that wait for a retry',
  );
  const mails = counter(
    'mails_total',
    'Mails and messages sent to their providers, by kind (sms and whatsapp for messages) and outcome',
    'kind',
    'outcome',
  );
  const featureRequests = counter(
    'feature_request_attempts_total',
    'Attempts to post a feature request on the board, by outcome',
    'outcome',
  );
  const decisions = counter(
    'interview_decisions_total',
    'Decisions about the next turn of an interview, by outcome and by who decided: model, plan or fallback',
    'outcome',
    'source',
  );
  const scored = counter(
    'results_scored_total',
    'Runs of the scoring of results that have ended, by outcome',
    'outcome',
  );
  const scoring = gauge(
    'results_scoring',
    'Results that wait for scores, or whose scoring has failed',
    'state',
  );
  const scoringAge = gauge('results_scoring_age_seconds', 'Age of the oldest result that waits for scores');
  const droppedTexts = counter(
    'model_texts_dropped_total',
    'Texts of the model that were not shown to a candidate, by reason',
    'problem',
  );
  const retrySignals = counter(
    'webhook_retry_signals_total',
    'Signals to workflows of failing endpoints, by outcome; failed ones are repeated',
    'outcome',
  );
  const issueAttempts = counter(
    'technical_issue_attempts_total',
    'Attempts to send a technical issue to support, by outcome',
    'outcome',
  );
  const issues = gauge(
    'technical_issues',
    'Technical issues that support has not received: queued, or given up after a week',
    'state',
  );
  const issueAge = gauge(
    'technical_issue_age_seconds',
    'Age of the oldest technical issue that support has not received',
  );
  const startsWaiting = gauge(
    'workflow_starts_waiting',
    'Workflow starts that wait in the outbox, counted up to 100,000',
  );
  const failedMaintenance = counter(
    'maintenance_failures_total',
    'Jobs of maintenance that failed and run again 15 seconds later, by job',
    'job',
  );
  const syncLag = gauge(
    'sync_lag_seconds',
    'How far the feeds of GET /sync and GET /event-list are behind: how long the oldest change has waited',
  );
  const startsAge = gauge('workflow_starts_age_seconds', 'Age of the oldest workflow start in the outbox');
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
    countDecision: ({ outcome, source }: Pick<DecidedTurn, 'outcome' | 'source'>) =>
      decisions.inc({ outcome, source }),
    countDroppedText: (problem: TextProblem) => droppedTexts.inc({ problem }),
    countScored: (outcome: 'scored' | 'failed' | 'superseded') => scored.inc({ outcome }),
    showScoring: ({ open, oldest_age_s, failed }: ScoringCounts) => {
      scoring.set({ state: 'open' }, open);
      scoring.set({ state: 'failed' }, failed);
      scoringAge.set(oldest_age_s);
    },
    countMail: (
      kind: MailKind | MessageChannel | OneMail['kind'] | 'report',
      outcome: 'sent' | 'rejected' | 'failed',
    ) => mails.inc({ kind, outcome }),
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
    showSyncLag: (seconds: number) => syncLag.set(seconds),
    countRetrySignal: (outcome: 'sent' | 'failed') => retrySignals.inc({ outcome }),
    countFailedMaintenance: (job: string) => failedMaintenance.inc({ job }),
    countOutboxStarts: (count: number) => starts.inc(count),
  };
}

/**
 * Serves `/metrics`, `/healthz` (responds while the event loop runs) and `/readyz` on a separate port. A worker process
 * is ready if Postgres responds and all its Temporal workers run.
 */
export async function serveMetrics(
  {
    config,
    database,
    metrics: { registry },
  }: { config: WorkerConfig; database: Pick<Database, 'ping'>; metrics: WorkerMetrics },
  workers: () => { getState: () => string }[],
): Promise<Server> {
  const isReady = async () => {
    await database.ping();
    return workers().length > 0 && workers().every((worker) => worker.getState() === 'RUNNING');
  };
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
  server.listen(config.METRICS_PORT, config.METRICS_HOST);
  await once(server, 'listening');
  return server;
}
