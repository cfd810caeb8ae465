import { Worker } from '@temporalio/worker';
import type { NativeConnection, WorkerDeploymentOptions, WorkerOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { WorkerConfig } from '../config';
import { failureSanitizer } from './failures-without-data';

/** A task queue with its own settings. */
export type TaskQueueSettings = Partial<WorkerOptions> & { taskQueue: string };

/**
 * Returns the build whose workflows these workers take, or undefined if they take those of any build. The default is
 * required and never used: the bundle of versioned workers has a behavior for every type (workflows/versioned.ts).
 */
const deploymentOf = ({
  TEMPORAL_DEPLOYMENT_NAME,
  BUILD_ID,
}: WorkerConfig): WorkerDeploymentOptions | undefined =>
  TEMPORAL_DEPLOYMENT_NAME === undefined
    ? undefined
    : {
        version: { deploymentName: TEMPORAL_DEPLOYMENT_NAME, buildId: BUILD_ID },
        useWorkerVersioning: true,
        defaultVersioningBehavior: 'PINNED',
      };

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
        workerDeploymentOptions: deploymentOf(config),
        shutdownGraceTime: config.SHUTDOWN_GRACE_SECONDS * 1_000,
        interceptors: { activity: [() => ({ inbound: failureSanitizer(log) })] },
        // By default, the SDK sends heartbeats only every 80 % of the heartbeat timeout. On a loaded machine, an
        // activity timed out because its heartbeat was a second late.
        maxHeartbeatThrottleInterval: 2_000,
        ...queue,
      }),
    ),
  );
