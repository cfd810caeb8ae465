import { EventEmitter } from 'node:events';
import { Client } from '@temporalio/client';
import { openDatabase } from '../../db/platform/database';
import { createLinkTokens } from '../../db/platform/link-tokens';
import { listenForNotifications } from '../../db/platform/listen';
import { openPool } from '../../db/platform/pool';
import { parseLiveBegun } from '../../db/taking/public';
import { taskQueues } from '../../workflows/ids';
import { serveMetrics } from '../platform/http/metrics';
import { createLogger } from '../platform/http/request-log';
import { temporalOptions } from '../platform/text/temporal-variables';
import { createDecisionCircuit, reportDecisions } from '../taking/public';
import { openTemporalConnection, reportUnreachable } from '../temporal-connection';
import { readLiveConfig } from './config';
import { createTranscription } from './hearing';
import { createLiveMetrics } from './live-metrics';
import { createLiveServer } from './live-server';

const stopMs = 15_000;

async function main(): Promise<void> {
  const config = readLiveConfig(process.env);
  const log = createLogger(config.LOG_LEVEL, 'live');
  const database = openDatabase(
    openPool({
      url: config.DATABASE_URL,
      size: config.DATABASE_POOL_SIZE,
      applicationName: 'live',
      onIdleError: (err) => log.warn({ err }, 'lost an idle database connection'),
    }),
  );
  const metrics = createLiveMetrics();
  const temporal = temporalOptions(config);
  const connection = openTemporalConnection(temporal);
  const model = config.OPENAI_TRANSCRIPTION_MODEL;
  const askedTurns = new EventEmitter();
  const live = createLiveServer({
    database,
    log,
    metrics,
    temporal: new Client({ connection, namespace: config.TEMPORAL_NAMESPACE }),
    queues: taskQueues(config.TEMPORAL_TASK_QUEUE_PREFIX),
    decisions: createDecisionCircuit(reportDecisions(metrics, log)),
    askedTurns,
    links: await createLinkTokens(config.LINK_SIGNING_KEYS, config.PORTAL_ORIGIN),
    openHearing: createTranscription({
      apiKey: config.OPENAI_API_KEY,
      baseUrl: config.OPENAI_BASE_URL,
      model,
    }),
    listening: { model, pricePerMinute: config.OPENAI_LISTENING_PRICE ?? null },
    limits: { sessions: config.LIVE_SESSIONS, sessionsPerMerchant: config.LIVE_SESSIONS_PER_MERCHANT },
  });

  const metricsServer = await serveMetrics(metrics, config.METRICS_HOST, config.METRICS_PORT);
  const stopListening = new AbortController();
  const listening = listenForNotifications({
    url: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
    applicationName: 'live',
    channels: {
      live_begun: (payload) => {
        const begun = parseLiveBegun(payload);
        if (begun) live.replace(begun);
      },
      turn_asked: (turnId) => askedTurns.emit(turnId),
    },
    onError: (err) => log.warn({ err }, 'lost the connection for notifications'),
    signal: stopListening.signal,
  });
  await new Promise<void>((resolve, reject) => {
    live.server.once('error', reject);
    live.server.listen(config.PORT, config.HOST, resolve);
  });
  log.info({ port: config.PORT }, 'live ready');
  void reportUnreachable(connection, temporal, log);
  process.send?.('ready');

  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    // The state is in the database, so a server that hangs must not keep the process alive.
    setTimeout(() => process.exit(1), stopMs);
    await live.stop(5_000);
    metricsServer.close();
    stopListening.abort();
    await listening;
    await connection.close();
    await database.close();
    process.exit(0);
  };
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(event, () => void stop());
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
