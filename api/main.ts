import { Client } from '@temporalio/client';
import { openDatabase } from '../db/platform/database';
import { createLinkTokens } from '../db/platform/link-tokens';
import { createObjectStore } from '../db/platform/object-store';
import { openPool } from '../db/platform/pool';
import { createSeal } from '../db/platform/sealed';
import { createAccessTokens } from '../db/platform/tokens';
import { taskQueues } from '../workflows/ids';
import { createOauthProvider, issuerOf, resourceOf } from './agents/public';
import { buildApp } from './app';
import { readApiConfig } from './config';
import { withLanes } from './platform/http/database-lanes';
import { createHttpServer } from './platform/http/http-server';
import { collectLastUse } from './platform/http/last-use';
import { createApiMetrics, serveMetrics } from './platform/http/metrics';
import { createProvenCredentials } from './platform/http/proven-credentials';
import { createLimits } from './platform/http/rate-limit';
import { createLogger } from './platform/http/request-log';
import { createBulkQueue } from './platform/operation/bulk';
import { temporalOptions } from './platform/text/temporal-variables';
import { createReportResults } from './reports/runs/result-cache';
import { createDecisionCircuit, reportDecisions } from './taking/decide-next';
import { openTemporalConnection, reportUnreachable } from './temporal-connection';

async function main(): Promise<void> {
  const config = readApiConfig(process.env);
  const log = createLogger(config.LOG_LEVEL);
  const shared = {
    url: config.DATABASE_URL,
    applicationName: 'api',
    onIdleError: (err: Error) => log.warn({ err }, 'lost an idle database connection'),
  };
  const database = withLanes(
    openDatabase(openPool({ ...shared, size: config.DATABASE_POOL_SIZE })),
    config.DATABASE_POOL_SIZE,
  );
  // The limits have connections of their own, so that requests without valid credentials take none of the others. The
  // time limits are short, because requests wait for these queries (docs/security.md#counting).
  const counts = openDatabase(
    openPool({ ...shared, size: 2, connectTimeoutMs: 1_000, queryTimeoutMs: 1_000 }),
  );
  const lastUse = collectLastUse(database, log);
  const metrics = createApiMetrics();
  const decisions = createDecisionCircuit(reportDecisions(metrics, log));
  const temporal = temporalOptions(config);
  const connection = openTemporalConnection(temporal);
  const seal = createSeal(config.SEALING_KEYS);
  const webhookTargets = {
    allowedRanges: config.WEBHOOK_ALLOWED_RANGES,
    allowedPorts: config.WEBHOOK_ALLOWED_PORTS,
    allowHttp: config.WEBHOOK_ALLOW_HTTP === 'true',
  };
  const app = buildApp({
    config,
    log,
    metrics,
    decisions,
    database,
    lastUse,
    createLimit: createLimits(counts, log),
    proven: createProvenCredentials(),
    seal,
    links: await createLinkTokens(config.LINK_SIGNING_KEYS, config.PORTAL_ORIGIN),
    objects: await createObjectStore(config.OBJECT_STORE, config.LINK_SIGNING_KEYS, config.PUBLIC_ORIGIN),
    bulk: createBulkQueue(config.DATABASE_POOL_SIZE),
    reportResults: createReportResults(),
    accountInvitationsPerDay: config.ACCOUNT_INVITATIONS_PER_DAY,
    consoleUrl: `${config.PUBLIC_ORIGIN}/console`,
    liveOrigin: config.LIVE_ORIGIN,
    supportDesk: config.SUPPORT_DESK_BASE_URL !== undefined,
    webhookTargets,
    featureBoard: config.FEATURE_BOARD_BASE_URL !== undefined,
    messages: config.TWILIO_AUTH_TOKEN !== undefined,
    tokens: await createAccessTokens(config.TOKEN_SIGNING_KEYS, config.PUBLIC_ORIGIN),
    agentTokens: await createAccessTokens(
      config.TOKEN_SIGNING_KEYS,
      issuerOf(config.PUBLIC_ORIGIN),
      resourceOf(config.PUBLIC_ORIGIN),
    ),
    oauth: await createOauthProvider({
      database,
      seal,
      webhookTargets,
      signingKeys: config.TOKEN_SIGNING_KEYS,
      origin: config.PUBLIC_ORIGIN,
    }),
    temporal: new Client({ connection, namespace: config.TEMPORAL_NAMESPACE }),
    queues: taskQueues(config.TEMPORAL_TASK_QUEUE_PREFIX),
  });

  const metricsServer = await serveMetrics(metrics, config.METRICS_HOST, config.METRICS_PORT);
  const { server, stop: stopServer } = createHttpServer(app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.PORT, config.HOST, resolve);
  });
  log.info({ origin: config.PUBLIC_ORIGIN }, 'api ready');
  void reportUnreachable(connection, temporal, log);
  process.send?.('ready');

  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    // Requests in progress get 90 s, which is enough for a body (30 s) and its reply (60 s). Only the playback of a
    // recording takes longer, and a player that is cut off requests the missing part again.
    await stopServer(90_000);
    metricsServer.close();
    await lastUse.stop();
    await connection.close();
    await Promise.all([database.close(), counts.close()]);
    // Without this, a request that waits for a workflow would keep the process alive for up to a minute, even if its
    // caller has disconnected.
    process.exit(0);
  };
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(event, () => void stop());
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
