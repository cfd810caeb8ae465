import pino from 'pino';
import { Registry } from 'prom-client';
import { createWebhookPost } from '../../activities/providers/webhook-post';
import { createEndpointCache } from '../../activities/webhooks/sender/endpoint-cache';
import { runSenders } from '../../activities/webhooks/sender/shard';
import { createSenderMetrics } from '../../activities/webhooks/webhook-metrics';
import { addressRanges } from '../../api/platform/text/webhook-url';
import { openDatabase } from '../../db/platform/database';
import { openPool } from '../../db/platform/pool';
import { createSeal } from '../../db/platform/sealed';
import { sealingKeys } from './rows';

/*
 * Runs only the product's webhook sender in this process. The database is DATABASE_URL. Sends `ready` to the parent
 * process. SIGTERM ends it.
 */
async function main(): Promise<void> {
  const databaseUrl = process.env['DATABASE_URL'] ?? '';
  const log = pino({ level: process.env['LOG_LEVEL'] ?? 'error' });
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  process.once('disconnect', () => stop.abort());
  const pool = openPool({
    url: databaseUrl,
    size: 10,
    applicationName: 'bench',
    onIdleError: () => undefined,
  });
  const database = openDatabase(pool);
  const post = createWebhookPost({
    allowedRanges: addressRanges.parse('127.0.0.0/8'),
    allowedPorts: 'any',
    allowHttp: true,
  });
  process.send?.('ready');
  await runSenders(
    {
      database,
      directUrl: databaseUrl,
      endpoints: createEndpointCache(database, createSeal(sealingKeys)),
      post,
      metrics: createSenderMetrics(new Registry()),
      log,
      graceMs: 1_000,
    },
    1,
    stop.signal,
  );
  await post.close();
  await database.close();
  if (process.connected) process.disconnect();
}

void main();
