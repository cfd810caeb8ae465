import { Worker } from '@temporalio/worker';
import type { NativeConnection, WorkerOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { WorkerConfig } from '../config';
import { failuresWithoutData } from './failures-without-data';

/** A task queue with its own settings. */
export type TaskQueueSettings = Partial<WorkerOptions> & { taskQueue: string };

/** Creates a worker for each task queue, all with the same activities. */
export const createWorkers = (
  taskQueues: TaskQueueSettings[],
  {
    connection,
    activities,
    config,
    log,
  }: { connection: NativeConnection; activities: object; config: WorkerConfig; log: Logger },
): Promise<Worker[]> =>
  Promise.all(
    taskQueues.map((queue) =>
      Worker.create({
        connection,
        activities,
        namespace: config.TEMPORAL_NAMESPACE,
        shutdownGraceTime: config.SHUTDOWN_GRACE_SECONDS * 1_000,
        interceptors: { activity: [() => ({ inbound: failuresWithoutData(log) })] },
        // By default, the SDK sends heartbeats only every 80 % of the heartbeat timeout. On a loaded machine, an
        // activity timed out because its heartbeat was a second late.
        maxHeartbeatThrottleInterval: 2_000,
        ...queue,
      }),
    ),
  );
