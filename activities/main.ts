import { setMaxListeners } from 'node:events';
import path from 'node:path';
import { Runtime } from '@temporalio/worker';
import type { Worker } from '@temporalio/worker';
import { temporalOptions } from '../api/platform/text/temporal-variables';
import { mergeAccountCounts } from '../db/platform/counts';
import { listenForNotifications } from '../db/platform/listen';
import { createActivities } from './activities';
import { readWorkerConfig } from './config';
import type { WorkerConfig } from './config';
import { deleteUnusedVideos } from './interviews/delete-unused-videos';
import { runMaintenance } from './maintenance';
import { serveMetrics } from './metrics';
import { readMessagePrices } from './people/messages/read-prices';
import { remindOfSubmit } from './people/submit-reminders';
import { connectTemporal } from './platform/connect-temporal';
import { createWorkers } from './platform/create-workers';
import { createLoopWaker, runLoop } from './platform/loop';
import type { LoopWaker } from './platform/loop';
import { startDueWorkflows } from './platform/outbox';
import { temporalLog } from './platform/temporal-log';
import { updateDaySums } from './reports/roll-up-days';
import { createScheduleSync, queueChangedSchedules } from './reports/sync-schedule';
import { createLostHoldRelease } from './results/release-lost-holds';
import { createLostRunCheck } from './scoring/end-lost-runs';
import { updateWaitingMetrics } from './show-waiting';
import { createLagMeter, lagEveryMs, recordDeferredChanges } from './sync-lag';
import { closeAttempts } from './taking/close-attempts';
import { joinRecordings, measureRecordings, maxConcurrentRecordings } from './taking/recordings';
import { enforceRetention } from './taking/retention';
import { taskQueueTable } from './task-queues';
import { createRetrySignals } from './webhooks/retry-signals';
import { runWebhooks } from './webhooks/run-webhooks';
import { openContext } from './worker-context';
import type { WorkerContext } from './worker-context';

const bundleFor = ({ TEMPORAL_DEPLOYMENT_NAME }: WorkerConfig): string => {
  const file = TEMPORAL_DEPLOYMENT_NAME === undefined ? 'bundle.js' : 'versioned-bundle.js';
  return path.join(__dirname, '../workflows', file);
};

/**
 * Jobs that this process repeats in addition to its activities. `failed` is the log message after an error.
 * `newStart` rings when a workflow that should start immediately is queued, and `newRecording` when a recording has to
 * be joined.
 */
const maintenanceTable = (
  context: WorkerContext,
  { newStart, newRecording }: { newStart: LoopWaker; newRecording: LoopWaker },
) => {
  const { database, messenger, metrics, log } = context;
  const outbox = { ...context, syncSchedule: createScheduleSync(context) };
  // Candidates wait for recordings to be joined.
  const recordings = { ...context, database: context.liveDatabase };
  const measureLag = createLagMeter(database);
  const signals = createRetrySignals({ ...context, count: metrics.countRetrySignal });
  return [
    {
      // The first retry is due after 4 s, so this is at most a quarter late.
      everyMs: 1_000,
      run: signals.signalDueRetries,
      failed: 'failed to signal webhooks whose retries are due',
    },
    {
      everyMs: 10_000,
      run: signals.signalUnmailedPauses,
      failed: 'failed to signal pauses of webhooks without a mail',
    },
    {
      everyMs: 1_000,
      run: async () => metrics.countOutboxStarts(await startDueWorkflows(outbox, context.stop)),
      failed: 'failed to start workflows of the outbox',
      alarm: newStart,
    },
    {
      everyMs: 1_000,
      run: () => database.writeAsWorker((trx) => trx.rows(mergeAccountCounts(10_000))),
      failed: 'failed to fold counts',
    },
    {
      everyMs: 5_000,
      run: () => queueChangedSchedules(database),
      failed: 'failed to compare the schedules of reports',
    },
    // Each of these jobs joins one recording at a time, so a long recording holds up none of the others.
    ...Array.from({ length: maxConcurrentRecordings }, () => ({
      everyMs: 1_000,
      run: () => joinRecordings(recordings, context.stop),
      failed: 'failed to claim recordings',
      alarm: newRecording,
    })),
    {
      everyMs: 1_000,
      run: () => measureRecordings(context, context.stop),
      failed: 'failed to claim recordings to measure',
    },
    {
      everyMs: 3_600_000,
      run: () => enforceRetention(context, context.stop),
      failed: 'failed to delete what merchants no longer keep',
    },
    {
      everyMs: 600_000,
      run: () => deleteUnusedVideos(context, context.stop),
      failed: 'failed to delete videos of questions that are no longer asked',
    },
    {
      everyMs: 15_000,
      run: () => updateWaitingMetrics(database, metrics),
      failed: 'failed to count waiting work',
    },
    {
      everyMs: 15_000,
      run: () =>
        runMaintenance(database, (job, err) => {
          metrics.countFailedMaintenance(job);
          log.error({ err, job }, 'failed to run a job of maintenance');
        }),
      failed: 'failed to run maintenance',
    },
    {
      everyMs: lagEveryMs,
      run: async () => metrics.showSyncLag(await measureLag()),
      failed: 'failed to measure the lag of the feeds',
    },
    {
      everyMs: 1_000,
      run: () => recordDeferredChanges(database, context.stop),
      failed: 'failed to record changes that wait',
    },
    { everyMs: 15_000, run: () => closeAttempts(database, log), failed: 'failed to close attempts' },
    {
      everyMs: 60_000,
      run: () => remindOfSubmit(database),
      failed: 'failed to queue mails to candidates who have not submitted',
    },
    {
      everyMs: 60_000,
      run: async () => {
        if (messenger) await readMessagePrices(database, messenger, context.stop);
      },
      failed: 'failed to read the prices of messages',
    },
    {
      everyMs: 15_000,
      run: createLostRunCheck({ ...context, onFailed: () => metrics.countScored('failed') }),
      failed: 'failed to end scorings whose workflow has ended',
    },
    {
      everyMs: 15_000,
      run: createLostHoldRelease(context),
      failed: 'failed to release events whose PDF is not made',
    },
    {
      everyMs: 15_000,
      run: () =>
        updateDaySums(database, {
          signal: context.stop,
          onError: (err) => log.warn({ err }, 'failed to sum up the days of a merchant'),
        }),
      failed: 'failed to sum up the days of reports',
    },
  ];
};

async function main(): Promise<void> {
  const config = readWorkerConfig(process.env);
  const stop = new AbortController();
  // Every loop of this process listens to this signal, and Node warns of more than ten listeners.
  setMaxListeners(0, stop.signal);
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(event, () => stop.abort());
  const context = await openContext(config, stop.signal);
  const { log } = context;
  Runtime.install({ shutdownSignals: [], logger: temporalLog(log) });
  let workers: Worker[] = [];
  const server = await serveMetrics(context, () => workers);
  const webhooks = runWebhooks(context);
  const connection = await connectTemporal(temporalOptions(config), stop.signal, log);
  if (connection) {
    const { activities, close } = await createActivities(context);
    const queues = taskQueueTable(context.queues, {
      workflowBundle: bundleFor(config),
      aiConcurrency: config.AI_CONCURRENCY,
      liveConcurrency: config.LIVE_CONCURRENCY,
      scoringConcurrency: config.SCORING_CONCURRENCY,
    });
    workers = await createWorkers(queues, { connection, activities, ...context });
    const alarms = { newStart: createLoopWaker(), newRecording: createLoopWaker() };
    const listening = listenForNotifications({
      url: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
      applicationName: 'worker notifications',
      channels: {
        workflow_start: alarms.newStart.ring,
        recording_completed: alarms.newRecording.ring,
        recording_stored: (turnId) => context.joinedTurns.emit(turnId),
      },
      onError: (err) => log.warn({ err }, 'lost the notifications of the database'),
      signal: stop.signal,
    });
    const loops = maintenanceTable(context, alarms).map(({ everyMs, run, failed, alarm }) =>
      runLoop(run, {
        pauseMs: everyMs,
        signal: stop.signal,
        onError: (err) => log.warn({ err }, failed),
        alarm,
      }),
    );
    const running = workers.map((worker) => worker.run());
    const shutDown = () => workers.forEach((worker) => worker.shutdown());
    stop.signal.addEventListener('abort', shutDown);
    if (stop.signal.aborted) shutDown();
    log.info({ queues: context.queues }, 'worker ready');
    process.send?.('ready');
    await Promise.all([...running, ...loops, listening]);
    await connection.close();
    await close();
  }
  await webhooks;
  server.close();
  await context.close();
  // An open IPC channel to a parent process would keep this process alive.
  if (process.connected) process.disconnect();
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
