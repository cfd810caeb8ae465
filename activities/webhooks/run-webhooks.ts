import type { WorkerContext } from '../worker-context';
import { runWebhookMaintenance } from './sender/maintenance';
import { runSender } from './sender/shard';

/** Sends first attempts and maintains the webhook tables until the worker stops. Works without Temporal. */
export async function runWebhooks(context: WorkerContext): Promise<void> {
  const { config, database, log, metrics, signaller, stop, webhooks } = context;
  await Promise.all([
    runSender(
      {
        ...webhooks,
        directUrl: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
        signal: signaller.signal,
        log,
        graceMs: config.SHUTDOWN_GRACE_SECONDS * 1_000,
      },
      config.WEBHOOK_SHARDS,
      stop,
    ),
    runWebhookMaintenance(
      { database, retentionDays: config.WEBHOOK_RETENTION_DAYS, gauges: metrics.webhooks, log },
      stop,
    ),
  ]);
}
