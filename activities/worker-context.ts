import { EventEmitter } from 'node:events';
import { Client, Connection } from '@temporalio/client';
import pino from 'pino';
import { temporalOptions } from '../api/platform/text/temporal-variables';
import { openDatabase } from '../db/platform/database';
import { errorFacts } from '../db/platform/error-facts';
import { createObjectStore } from '../db/platform/object-store';
import { openPool, queryTimeoutMs } from '../db/platform/pool';
import { createSeal } from '../db/platform/sealed';
import { taskQueues } from '../workflows/ids';
import type { WorkerConfig } from './config';
import { createWorkerMetrics } from './metrics';
import { createMessenger } from './providers/twilio';
import { createWebhookPost } from './providers/webhook-post';
import { createEndpointCache } from './webhooks/sender/endpoint-cache';

export type WorkerContext = Awaited<ReturnType<typeof openContext>>;

/**
 * The size of a second connection pool, which only running interviews use. Each of their statements takes
 * milliseconds.
 */
const liveConnections = 4;

/**
 * Opens the clients and settings that all parts of the worker share. Neither Temporal nor Postgres has to be available
 * yet.
 */
export async function openContext(config: WorkerConfig, stop: AbortSignal) {
  const log = pino({
    level: config.LOG_LEVEL,
    base: { process: 'worker' },
    serializers: { err: errorFacts },
  });
  const open = (size: number) =>
    openDatabase(
      openPool({
        url: config.DATABASE_URL,
        size,
        applicationName: 'worker',
        queryTimeoutMs: queryTimeoutMs.worker,
        onIdleError: (err) => log.warn({ err }, 'lost an idle database connection'),
      }),
    );
  const database = open(config.DATABASE_POOL_SIZE);
  // Candidates wait for the statements on these connections, so no other part of the worker may use them.
  const liveDatabase = open(liveConnections);
  /** Emits the id of a turn when the recording of its answer is joined, by whichever worker. */
  const joinedTurns = new EventEmitter();
  const metrics = createWorkerMetrics();
  const queues = taskQueues(config.TEMPORAL_TASK_QUEUE_PREFIX);
  const connection = Connection.lazy({
    ...temporalOptions(config),
    // Reconnects soon after an outage. By default, gRPC waits up to two minutes between its connection attempts.
    channelArgs: { 'grpc.max_reconnect_backoff_ms': 2_000 },
  });
  const client = new Client({ connection, namespace: config.TEMPORAL_NAMESPACE });
  const seal = createSeal(config.SEALING_KEYS);
  const post = createWebhookPost({
    allowedRanges: config.WEBHOOK_ALLOWED_RANGES,
    allowedPorts: config.WEBHOOK_ALLOWED_PORTS,
    allowHttp: config.WEBHOOK_ALLOW_HTTP === 'true',
  });
  const messenger = openMessenger(config);
  return {
    config,
    log,
    database,
    liveDatabase,
    joinedTurns,
    messenger,
    seal,
    objects: await createObjectStore(config.OBJECT_STORE, config.LINK_SIGNING_KEYS, config.PUBLIC_ORIGIN),
    metrics,
    client,
    queues,
    webhooks: {
      database,
      endpoints: createEndpointCache(database, seal),
      post,
      metrics: metrics.webhooks,
    },
    stop,
    close: async () => {
      await post.close();
      await messenger?.close();
      await connection.close();
      await Promise.all([database.close(), liveDatabase.close()]);
    },
  };
}

/** Returns undefined if no message provider is configured. */
function openMessenger(config: WorkerConfig) {
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken, TWILIO_FROM: from } = config;
  return accountSid && authToken && from
    ? createMessenger({
        accountSid,
        authToken,
        baseUrl: config.TWILIO_URL,
        from,
        whatsappFrom: config.TWILIO_WHATSAPP_FROM,
        hookUrl: `${config.PUBLIC_ORIGIN}/hooks/twilio`,
      })
    : undefined;
}
