import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import pino from 'pino';
import { readWorkerConfig } from '../../../activities/config';
import { createWorkers } from '../../../activities/platform/create-workers';
import { infrastructure } from '../../harness/platform/infrastructure';
import { quietRuntime, whileBeating } from '../../harness/platform/test-worker';
import { leastWorkerVariables } from '../../harness/platform/worker-variables';
import { waitFor } from '../../harness/wait-for';

const versionedBundle = path.resolve(__dirname, '../../../dist/workflows/versioned-bundle.js');
const namespace = 'default';
const taskQueue = `builds-${randomUUID()}`;
const deploymentName = `deployment-${randomUUID()}`;

let native: NativeConnection;
let connection: Connection;
let client: Client;
beforeAll(async () => {
  quietRuntime();
  const address = infrastructure().temporalAddress;
  native = await NativeConnection.connect({ address });
  connection = await Connection.connect({ address });
  client = new Client({ connection });
});
afterAll(async () => {
  await connection.close();
  await native.close();
});

/** Starts a worker of this build. */
async function startBuild(buildId: string, activities: object) {
  const config = readWorkerConfig({
    ...leastWorkerVariables,
    TEMPORAL_DEPLOYMENT_NAME: deploymentName,
    BUILD_ID: buildId,
  });
  const queue = { taskQueue, workflowBundle: { codePath: versionedBundle } };
  const log = pino({ level: 'silent' });
  const workers = await createWorkers([queue], { connection: native, activities, config, log });
  const running = workers.map((worker) => worker.run());
  return async () => {
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
  };
}

/** Makes this build the current one, as `temporal worker deployment set-current-version` does. */
const setCurrent = (buildId: string) =>
  waitFor(`build ${buildId} to become the current one`, () =>
    client.workflowService
      .setWorkerDeploymentCurrentVersion({ namespace, deploymentName, buildId, identity: 'test' })
      .then(
        () => true,
        // Temporal does not know a build before its worker has polled.
        () => undefined,
      ),
  );

/** Returns the builds of the workers that took the tasks of a workflow, in order and without repetitions. */
const buildsOf = async (handle: WorkflowHandle): Promise<string[]> => {
  const { events } = await handle.fetchHistory();
  const builds = (events ?? []).flatMap(
    ({ workflowTaskCompletedEventAttributes: task }) => task?.deploymentVersion?.buildId ?? [],
  );
  return [...new Set(builds)];
};

describe('two builds of the worker', () => {
  it('end pinned workflows where they began, move the others, and lose none', async () => {
    let isAccepted = false;
    let letGo = () => {};
    const isReleased = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const sent: string[] = [];
    const activities = {
      sendSignInMail: async ({ sign_in_id }: { sign_in_id: string }) => {
        if (sign_in_id === 'held') await whileBeating(() => isReleased);
        sent.push(sign_in_id);
      },
      sendIssueReport: async () =>
        isAccepted ? { reference: '#1' } : { reference: null, failure: '503', retry_after_ms: 0 },
    };
    const startMail = (sign_in_id: string) =>
      client.workflow.start('signInMail', {
        workflowId: `${taskQueue}/${sign_in_id}`,
        taskQueue,
        args: [{ sign_in_id }],
      });
    const stopOld = await startBuild('old', activities);
    await setCurrent('old');
    const pinned = await startMail('held');
    const upgrading = await client.workflow.start('issueReport', {
      workflowId: `${taskQueue}/issue`,
      taskQueue,
      args: [{ report_id: randomUUID(), first_pause_ms: 100, longest_pause_ms: 100 }],
    });
    for (const handle of [pinned, upgrading])
      await waitFor('the old build to begin', async () => (await buildsOf(handle)).length > 0);

    const stopNew = await startBuild('new', activities);
    await setCurrent('new');
    const begun: string[] = [];
    await waitFor('workflows to begin on the new build', async () => {
      const name = `mail ${begun.push('')}`;
      const handle = await startMail(name);
      await handle.result();
      begun[begun.length - 1] = name;
      return (await buildsOf(handle)).includes('new');
    });
    await waitFor('the workflow to move', async () => (await buildsOf(upgrading)).includes('new'));
    letGo();
    await pinned.result();
    await stopOld();
    isAccepted = true;
    await upgrading.result();
    await stopNew();

    expect(await buildsOf(pinned)).toEqual(['old']);
    expect(await buildsOf(upgrading)).toEqual(['old', 'new']);
    expect(sent.toSorted()).toEqual([...begun, 'held'].toSorted());
  });
});
