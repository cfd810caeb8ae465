import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import pino from 'pino';
import { startDueWorkflows, startWorkflowBatch } from '../../../activities/platform/outbox';
import { createScheduleSync } from '../../../activities/reports/sync-schedule';
import { generateSigningKeys } from '../../../db/platform/tokens';
import {
  claimWorkflowStarts,
  insertWorkflowStart,
  postponeWorkflowStarts,
} from '../../../db/platform/workflow-starts';
import { merchants } from '../../../local/seed/accounts';
import { workflowSummaries, invitationBatchId, taskQueues } from '../../../workflows/ids';
import { startInterviewWorker } from '../../harness/interviews/interview-worker';
import type { InterviewWorker } from '../../harness/interviews/interview-worker';
import { createDoor } from '../../harness/platform/door';
import { infrastructure } from '../../harness/platform/infrastructure';
import { connectTemporal } from '../../harness/platform/patient-client';
import { takePort } from '../../harness/platform/ports';
import { startProcess } from '../../harness/platform/process';
import { waitFor } from '../../harness/wait-for';

const log = pino({ level: 'silent' });
// No worker polls queues with this prefix, so started workflows do not continue.
const prefix = `outbox-${randomBytes(4).toString('hex')}-`;
const queues = taskQueues(prefix);
let workflow: InterviewWorker;
let client: Client;
beforeAll(async () => {
  [workflow, client] = await Promise.all([startInterviewWorker(), connectTemporal()]);
});
const startedIds: string[] = [];
afterEach(async () => {
  for (const id of startedIds.splice(0))
    await client.workflow
      .getHandle(id)
      .terminate()
      .catch(() => undefined);
});

const deps = () => ({
  database: workflow.worker,
  client,
  queues,
  log,
  syncSchedule: createScheduleSync({ client, queues }),
});
/**
 * Makes rows due again if a slow Temporal server did not start their workflows in time. Returns the number of these
 * rows.
 */
const makeDueAgain = async (): Promise<number> => {
  const again = `update workflow_start set next_attempt_at = now() where workflow_id <> '' returning id`;
  return (await workflow.database.rows(again)).length;
};
const startTheSlow = async (): Promise<void> => {
  while ((await makeDueAgain()) > 0) await startWorkflowBatch(deps());
};
/**
 * Starts the due workflows, and repeats this while Temporal is too slow. Returns how many rows the first round took.
 */
const startDue = async (): Promise<number> => {
  const taken = await startWorkflowBatch(deps());
  if (taken > 0) await startTheSlow();
  return taken;
};
const store = async (count = 1): Promise<string[]> => {
  const ids = Array.from({ length: count }, () => invitationBatchId(randomUUID()));
  startedIds.push(...ids);
  await workflow.api.write(workflow.caller, async (trx) => {
    for (const id of ids) await trx.count(insertWorkflowStart('invitationBatch', id, { batch_id: id }));
  });
  return ids;
};
const rows = () =>
  workflow.database.rows<{ workflow_id: string; attempts: number; waits: boolean }>(
    'select workflow_id, attempts, next_attempt_at > now() as waits from workflow_start order by workflow_id',
  );
const isStarted = async (id: string) => {
  try {
    return await client.workflow.getHandle(id).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
};

describe('startWorkflowBatch', () => {
  it('starts a committed row with its argument, scope, queue and summary, and removes the row', async () => {
    const [id = ''] = await store();
    expect(await startDue()).toBe(1);
    expect(await rows()).toEqual([]);
    const started = await isStarted(id);
    expect(started).toMatchObject({
      type: 'invitationBatch',
      taskQueue: queues.main,
      searchAttributes: { MerchantId: [merchants.main.id], Environment: ['production'] },
    });
    const { events } = await client.workflow.getHandle(id).fetchHistory();
    const payload = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data;
    expect(JSON.parse(Buffer.from(payload ?? []).toString())).toEqual({ batch_id: id });
    const summary = await started?.staticSummary();
    expect([typeof summary, summary]).toEqual(['string', workflowSummaries['invitationBatch']]);
    expect(await startDue()).toBe(0);
  });

  it('starts sign-in mails on a queue of their own, which invitations cannot fill', async () => {
    const id = `signInMail/${randomUUID()}`;
    startedIds.push(id);
    await workflow.api.write(workflow.caller, (trx) => trx.count(insertWorkflowStart('signInMail', id, {})));
    expect(await startDue()).toBe(1);
    expect(await isStarted(id)).toMatchObject({ type: 'signInMail', taskQueue: queues.signIn });
  });

  it.each([
    ['issueReport', true],
    ['invitationBatch', false],
  ])('starts a terminated workflow of type %s again: %s', async (type, isAnew) => {
    const id = `${type}/${randomUUID()}`;
    startedIds.push(id);
    const again = async () => {
      await workflow.api.write(workflow.caller, (trx) => trx.count(insertWorkflowStart(type, id, {})));
      expect(await startDue()).toBe(1);
      expect(await rows()).toEqual([]);
    };
    await again();
    await again();
    const first = await isStarted(id);
    await client.workflow.getHandle(id).terminate();
    await again();
    const last = await isStarted(id);
    expect([last?.runId !== first?.runId, last?.status.name]).toEqual([
      isAnew,
      isAnew ? 'RUNNING' : 'TERMINATED',
    ]);
  });

  it('starts nothing for a transaction that does not commit', async () => {
    const id = invitationBatchId(randomUUID());
    const work = workflow.api.write(workflow.caller, async (trx) => {
      await trx.count(insertWorkflowStart('invitationBatch', id, {}));
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect([await startDue(), await isStarted(id)]).toEqual([0, undefined]);
  });

  it.each(['running', 'ended'])(
    'removes the row of a workflow that was started before (%s)',
    async (state) => {
      const [id = ''] = await store();
      const { firstExecutionRunId } = await client.workflow.start('invitationBatch', {
        workflowId: id,
        taskQueue: queues.main,
        args: [{}],
      });
      if (state === 'ended') await client.workflow.getHandle(id).terminate();
      expect(await startDue()).toBe(1);
      expect(await rows()).toEqual([]);
      expect((await isStarted(id))?.runId).toBe(firstExecutionRunId);
    },
  );

  it('keeps the rows while Temporal is unavailable, and starts their workflows once it is back', async () => {
    const ids = await store(3);
    await workflow.database.rows('update workflow_start set attempts = 5');
    const away = new Client({
      connection: Connection.lazy({ address: `127.0.0.1:${await takePort()}` }),
    });
    expect(await startWorkflowBatch({ ...deps(), client: away })).toBe(3);
    const kept = ids.map((workflow_id) => ({ workflow_id, attempts: 6, waits: true }));
    expect(await rows()).toEqual(kept.sort((a, b) => (a.workflow_id < b.workflow_id ? -1 : 1)));
    expect(await startDue()).toBe(0);
    await workflow.database.rows('update workflow_start set next_attempt_at = now()');
    expect(await startDue()).toBe(3);
    expect(await rows()).toEqual([]);
    for (const id of ids) expect(await isStarted(id)).toBeDefined();
    await away.connection.close();
  });

  it('postpones a row whose start fails, without delaying others', async () => {
    const [bad = '', good = ''] = await store(2);
    await workflow.database.rows(`update workflow_start set workflow_id = '' where workflow_id = $1`, [bad]);
    expect(await startDue()).toBe(2);
    expect(await isStarted(good)).toBeDefined();
    expect(await rows()).toMatchObject([{ workflow_id: '', attempts: 1 }]);
    await workflow.database.rows('delete from workflow_start');
  });

  it.each([
    [0, 1],
    [1, 2],
    [5, 32],
    [6, 60],
    [1_000, 60],
  ])(
    'postpones a row that failed %d times before by %d seconds, from the time of the failure',
    async (attempts, seconds) => {
      await store();
      await workflow.database.rows('update workflow_start set attempts = $1', [attempts]);
      const clock = 'select extract(epoch from clock_timestamp())::float8 as at from pg_sleep(0.01)';
      const [earliest, latest] = await workflow.worker.writeAsWorker(async (trx) => {
        const claimed = await trx.rows<{ id: string }>(claimWorkflowStarts(50));
        const [before] = await trx.rows<{ at: number }>({ text: clock });
        await trx.count(postponeWorkflowStarts(claimed.map(({ id }) => id)));
        const [after] = await trx.rows<{ at: number }>({ text: clock });
        return [before?.at ?? 0, after?.at ?? 0];
      });
      const [row] = await workflow.database.rows<{ attempts: number; at: number }>(
        'select attempts, extract(epoch from next_attempt_at)::float8 as at from workflow_start',
      );
      expect(row?.attempts).toBe(attempts + 1);
      expect((row?.at ?? 0) - seconds).toBeGreaterThanOrEqual(earliest ?? 0);
      expect((row?.at ?? 0) - seconds).toBeLessThanOrEqual(latest ?? 0);
      await workflow.database.rows('delete from workflow_start');
    },
  );

  it('starts each workflow once when several workers take rows at once', async () => {
    const ids = await store(60);
    for (let left = 60; left > 0; left = await makeDueAgain()) {
      const counts = await Promise.all([1, 2, 3].map(() => startWorkflowBatch(deps())));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(left);
    }
    expect(await rows()).toEqual([]);
    for (const started of await Promise.all(ids.map(isStarted))) expect(started).toBeDefined();
  });

  it('starts 120 rows in one run, and takes none when it has been told to stop', async () => {
    const ids = await store(120);
    expect(await startDueWorkflows(deps(), AbortSignal.abort())).toBe(0);
    expect(await startDueWorkflows(deps(), new AbortController().signal)).toBeGreaterThanOrEqual(120);
    // All rows were taken and tried, also those whose workflows a slow Temporal server did not start in time.
    expect((await rows()).filter(({ attempts }) => attempts === 0)).toEqual([]);
    await startTheSlow();
    for (const started of await Promise.all(ids.map(isStarted))) expect(started).toBeDefined();
  });

  it.each([
    ['frozen', 'before Temporal received the start'],
    ['deaf', 'after Temporal started it'],
  ] as const)(
    'starts a workflow once when the connection is %s and the worker is killed %s',
    async (mode, _when) => {
      const proxy = await createDoor(infrastructure().temporalAddress);
      await proxy.open();
      const killed = await startProcess('activities', {
        DATABASE_URL: workflow.database.workerUrl,
        DATABASE_DIRECT_URL: workflow.database.workerDirectUrl,
        TEMPORAL_ADDRESS: proxy.address,
        TEMPORAL_TASK_QUEUE_PREFIX: `${prefix}killed-`,
        PUBLIC_ORIGIN: 'http://127.0.0.1:8080',
        PORTAL_ORIGIN: 'http://localhost:8080',
        LINK_SIGNING_KEYS: JSON.stringify(await generateSigningKeys()),
        SEALING_KEYS: `test:${randomBytes(32).toString('base64')}`,
        OPENAI_API_KEY: 'test',
        OBJECT_STORE: `${tmpdir()}/objects`,
        SENDGRID_API_KEY: 'test',
        MAIL_FROM: 'no-reply@acme.test',
        METRICS_PORT: String(await takePort()),
      });
      try {
        // Starting the first workflow opens the worker's connection to Temporal. The test then interrupts this
        // connection.
        const [first = ''] = await store();
        await waitFor('its first start', async () => (await isStarted(first)) && (await rows()).length === 0);
        proxy.setMode(mode);
        const [id = ''] = await store();
        const free = 'select from workflow_start for update skip locked';
        await waitFor(
          'the worker to take the row',
          async () => (await workflow.database.rows(free)).length === 0,
        );
        if (mode === 'deaf') await waitFor('the start', () => isStarted(id));
        await killed.kill();
        await waitFor('the row to be free', async () => (await workflow.database.rows(free)).length === 1);
        const before = await isStarted(id);
        expect(before !== undefined).toBe(mode === 'deaf');
        // The worker may have postponed the row before it was killed, so the test compares only the id in the row.
        expect((await rows()).map(({ workflow_id }) => workflow_id)).toEqual([id]);
        expect(await makeDueAgain()).toBe(1);
        expect(await startDue()).toBe(1);
        expect(await rows()).toEqual([]);
        const after = await isStarted(id);
        expect(after?.runId).toBe(before?.runId ?? after?.runId);
        expect(after).toBeDefined();
      } finally {
        await killed.kill();
      }
    },
  );
});
