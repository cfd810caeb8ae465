import { showWaiting } from './show-waiting';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { Runtime, Worker } from '@temporalio/worker';
import pino from 'pino';
import { foldCounts } from '../db/platform/counts';
import { errorFacts } from '../db/platform/error-facts';
import { answerLimitMs, openPool } from '../db/platform/pool';
import { openDatabase } from '../db/platform/database';
import { createLinks } from '../db/platform/link-tokens';
import { createSeal } from '../db/platform/sealed';
import { taskQueues } from '../workflows/ids';
import { readWorkerConfig } from './config';
import { connectTemporal } from './platform/connect-temporal';
import { temporalLog } from './platform/temporal-log';
import type { WorkerConfig } from './config';
import { failuresWithoutData } from './platform/failures-without-data';
import { createFeatureRequestActivities } from './support/feature-requests';
import { createInterviewActivities } from './interviews/interviews';
import { createInvitationActivities } from './people/invitations';
import { createIssueReportActivities } from './support/issue-reports';
import { runLoop } from './platform/loop';
import { createWorkerMetrics, serveMetrics } from './metrics';
import { createOneMailSender } from './platform/one-mail';
import { createFeatureBoard } from './providers/feature-board';
import { createModel } from './providers/openai';
import { createMailer } from './providers/sendgrid';
import { openSupportDesk } from './providers/support-desk';
import { startDueWorkflows } from './platform/outbox';
import { createWebhookPost } from './providers/webhook-post';
import { createEndpointMemory } from './webhooks/sender/endpoint-memory';
import { runRetryLoops } from './webhooks/sender/retry-loops';
import { createRetrySignaller } from './webhooks/sender/signal-retries';
import { runSender } from './webhooks/sender/shard';
import { runWebhookMaintenance } from './webhooks/sender/maintenance';
import { createSignInActivities } from './identity/sign-in';
import { runMaintenance } from './maintenance';
import { createWebhookPauseActivities } from './webhooks/webhook-pauses';
import { createWebhookActivities, retryRunsAtOnce } from './webhooks/webhooks';
import { createWebhookReplayActivities } from './webhooks/webhook-replays';

const outboxPauseMs = 1_000;
const maintenancePauseMs = 15_000;
const foldPauseMs = 1_000;
const waitingPauseMs = 15_000;
const foldRows = 10_000;

async function main(): Promise<void> {
  const config = readWorkerConfig(process.env);
  const log = pino({
    level: config.LOG_LEVEL,
    base: { process: 'worker' },
    serializers: { err: errorFacts },
  });
  const stop = new AbortController();
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(event, () => stop.abort());

  Runtime.install({
    shutdownSignals: [],
    logger: temporalLog(log),
  });
  const pool = openPool({
    url: config.DATABASE_URL,
    size: config.DATABASE_POOL_SIZE,
    applicationName: 'worker',
    answerLimitMs: answerLimitMs.worker,
    onIdleError: (err) => log.warn({ err }, 'idle database connection lost'),
  });
  const database = openDatabase(pool);
  const metrics = createWorkerMetrics();
  let workers: Worker[] = [];
  const server = await serveMetrics(metrics, {
    host: config.METRICS_HOST,
    port: config.METRICS_PORT,
    isReady: async () => {
      await database.ping();
      return workers.length > 0 && workers.every((worker) => worker.getState() === 'RUNNING');
    },
  });

  const queues = taskQueues(config.TEMPORAL_TASK_QUEUE_PREFIX);
  const clientConnection = Connection.lazy({
    address: config.TEMPORAL_ADDRESS,
    // By default, gRPC waits up to two minutes between its connection attempts.
    channelArgs: { 'grpc.max_reconnect_backoff_ms': 2_000 },
  });
  const client = new Client({ connection: clientConnection, namespace: config.TEMPORAL_NAMESPACE });
  const signaller = createRetrySignaller({ client, queues, log, onSignal: metrics.countRetrySignal });

  const seal = createSeal(config.SEALING_KEYS);
  const webhookPost = createWebhookPost({
    allowedRanges: config.WEBHOOK_ALLOWED_RANGES,
    allowedPorts: config.WEBHOOK_ALLOWED_PORTS,
    allowHttp: config.WEBHOOK_ALLOW_HTTP === 'true',
  });
  const webhooks = {
    database,
    endpoints: createEndpointMemory(database, seal),
    post: webhookPost,
    metrics: metrics.webhooks,
  };
  // First attempts do not need Temporal, so the sender starts without it.
  const sender = runSender(
    {
      ...webhooks,
      databaseUrl: config.DATABASE_URL,
      signal: signaller.signal,
      log,
      graceMs: config.SHUTDOWN_GRACE_SECONDS * 1_000,
    },
    config.WEBHOOK_SHARDS,
    stop.signal,
  );
  const maintenance = runWebhookMaintenance(
    { database, retentionDays: config.WEBHOOK_RETENTION_DAYS, gauges: metrics.webhooks, log },
    stop.signal,
  );

  const connection = await connectTemporal(config.TEMPORAL_ADDRESS, stop.signal, log);
  if (connection) {
    const openMailer = () =>
      createMailer({
        apiKey: config.SENDGRID_API_KEY,
        baseUrl: config.SENDGRID_BASE_URL,
        fromAddress: config.MAIL_FROM,
        mailsPerSecond: config.MAILS_PER_SECOND,
      });
    const mailer = openMailer();
    const supportDesk = openSupportDesk(config);
    const sendOneMail = createOneMailSender({ mailer: openMailer(), onMail: metrics.countMail });
    const board = featureBoard(config);
    const activities = {
      ...createFeatureRequestActivities({ database, board, onAttempt: metrics.countFeatureRequest }),
      ...createInterviewActivities({
        database,
        seal,
        model: createModel({
          apiKey: config.OPENAI_API_KEY,
          baseUrl: config.OPENAI_BASE_URL,
          model: config.OPENAI_MODEL,
        }),
        onModelCall: metrics.countModelCall,
      }),
      ...createInvitationActivities({
        database,
        links: await createLinks(config.LINK_SIGNING_KEYS, config.PORTAL_ORIGIN),
        mailer,
        publicOrigin: config.PUBLIC_ORIGIN,
        onMail: metrics.countMail,
      }),
      ...createIssueReportActivities({ database, supportDesk, onAttempt: metrics.countIssueAttempt }),
      ...createSignInActivities({ database, sendOneMail, publicOrigin: config.PUBLIC_ORIGIN }),
      ...createWebhookPauseActivities({ database, sendOneMail, publicOrigin: config.PUBLIC_ORIGIN }),
      ...createWebhookActivities({ ...webhooks, stop: stop.signal }),
      ...createWebhookReplayActivities({ database, signalRetries: signaller.signal }),
    };
    const shared = {
      connection,
      namespace: config.TEMPORAL_NAMESPACE,
      shutdownGraceTime: config.SHUTDOWN_GRACE_SECONDS * 1_000,
      // By default, heartbeats are throttled to 80 % of the heartbeat timeout. On a loaded machine, one that was a
      // second late timed out its activity.
      maxHeartbeatThrottleInterval: 2_000,
      activities,
      interceptors: { activity: [() => ({ inbound: failuresWithoutData(log) })] },
    };
    workers = await Promise.all([
      ...[queues.main, queues.signIn].map((taskQueue) =>
        Worker.create({
          ...shared,
          taskQueue,
          workflowBundle: { codePath: path.join(__dirname, '../workflows/bundle.js') },
          // After this time, the cached workflows of a killed worker move to another worker.
          stickyQueueScheduleToStartTimeout: '3 seconds',
        }),
      ),
      Worker.create({
        ...shared,
        taskQueue: queues.ai,
        maxConcurrentActivityTaskExecutions: config.AI_CONCURRENCY,
      }),
      Worker.create({
        ...shared,
        taskQueue: queues.webhooks,
        maxConcurrentActivityTaskExecutions: retryRunsAtOnce,
        maxHeartbeatThrottleInterval: 4_000,
      }),
    ]);
    const loops = [
      runLoop(
        async () =>
          metrics.countOutboxStarts(await startDueWorkflows({ database, client, queues, log }, stop.signal)),
        {
          pauseMs: outboxPauseMs,
          signal: stop.signal,
          onError: (err) => log.warn({ err }, 'failed to start workflows of the outbox'),
        },
      ),
      runLoop(() => database.writeAsWorker((trx) => trx.rows(foldCounts(foldRows))), {
        pauseMs: foldPauseMs,
        signal: stop.signal,
        onError: (err) => log.warn({ err }, 'folding of counts failed'),
      }),
      runLoop(() => showWaiting(database, metrics), {
        pauseMs: waitingPauseMs,
        signal: stop.signal,
        onError: (err) => log.warn({ err }, 'failed to count what waits'),
      }),
      runLoop(() => runMaintenance(database), {
        pauseMs: maintenancePauseMs,
        signal: stop.signal,
        onError: (err) => log.warn({ err }, 'failed to run the maintenance'),
      }),
      runRetryLoops({ database, signaller, log }, stop.signal),
    ];
    const running = workers.map((worker) => worker.run());
    const shutDown = () => workers.forEach((worker) => worker.shutdown());
    stop.signal.addEventListener('abort', shutDown);
    if (stop.signal.aborted) shutDown();
    log.info({ queues }, 'worker ready');
    process.send?.('ready');
    await Promise.all([...running, ...loops]);
    await supportDesk?.close();
    await connection.close();
    await board?.close();
  }
  await Promise.all([sender, maintenance]);
  await webhookPost.close();
  await clientConnection.close();
  server.close();
  await database.close();
  // An open channel to a parent process would keep this process alive.
  if (process.connected) process.disconnect();
}

/** Returns undefined if no feature board is configured. */
const featureBoard = (config: WorkerConfig) =>
  config.FEATURE_BOARD_BASE_URL && config.FEATURE_BOARD_KEY && config.FEATURE_BOARD_ID
    ? createFeatureBoard({
        baseUrl: config.FEATURE_BOARD_BASE_URL,
        apiKey: config.FEATURE_BOARD_KEY,
        boardId: config.FEATURE_BOARD_ID,
      })
    : undefined;

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
