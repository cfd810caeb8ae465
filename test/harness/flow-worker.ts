import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import {
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker';
import { interviewCreationId, scopeAttributes, taskQueues } from '../../workflows/ids';
import type { InterviewActivities } from '../../activities/interviews';
import { infrastructure } from './infrastructure';

/** The bundle that the product runs, made by the build. */
export const bundlePath = path.resolve(__dirname, '../../dist/workflows/bundle.js');

/** Keeps the failures that tests ask for out of their output. Once a file, before any worker. */
export const quietRuntime = () =>
  void Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
  });

/** The product's workflows on the run's engine, on queues of their own, with these activities. */
export async function startFlowWorker(
  activities: Pick<InterviewActivities, 'draftInterview' | 'storeInterview'>,
) {
  const address = infrastructure().temporalAddress;
  const queues = taskQueues(`flow-${randomBytes(4).toString('hex')}-`);
  const connection = await NativeConnection.connect({ address });
  const clientConnection = await Connection.connect({ address });
  const client = new Client({ connection: clientConnection, identity: 'test' });
  const shared = { connection, identity: 'test', activities };
  const [main, ai] = await Promise.all([
    Worker.create({
      ...shared,
      taskQueue: queues.main,
      workflowBundle: { codePath: bundlePath },
      activities: { storeInterview: activities.storeInterview },
    }),
    Worker.create({
      ...shared,
      taskQueue: queues.ai,
      activities: { draftInterview: activities.draftInterview },
    }),
  ]);
  const running = [main.run(), ai.run()];
  return {
    client,
    queues,
    /** As the API starts it. */
    start: (id: string) =>
      client.workflow.start('interviewCreation', {
        workflowId: interviewCreationId(id),
        taskQueue: queues.main,
        args: [{ interview_id: id, ai_task_queue: queues.ai }],
        workflowExecutionTimeout: '60 seconds',
        typedSearchAttributes: scopeAttributes('00000000-0000-4000-8000-000000000001', 'production'),
        staticSummary: 'Drafts an interview with the model and stores it',
      }),
    stop: async () => {
      main.shutdown();
      ai.shutdown();
      await Promise.all(running);
      await clientConnection.close();
      await connection.close();
    },
  };
}
