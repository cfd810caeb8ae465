import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Client, Connection } from '@temporalio/client';
import type { ClientOptions } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createRetrySignals } from '../../../activities/webhooks/retry-signals';
import { createWebhookReplayActivities } from '../../../activities/webhooks/webhook-replays';
import type { ReplayPage } from '../../../activities/webhooks/webhook-replays';
import { withAdminConnection } from '../../../db/platform/credentials';
import type { Database } from '../../../db/platform/database';
import { cancelReplay, insertReplay } from '../../../db/webhooks/replays';
import type { ReplayFilter } from '../../../db/webhooks/replays';
import { merchants, people } from '../../../local/seed/accounts';
import { retrySignals, taskQueues, webhookRetriesId } from '../../../workflows/ids';
import { startInterviewWorker } from '../../harness/interviews/interview-worker';
import type { InterviewWorker } from '../../harness/interviews/interview-worker';
import { startMailWorker } from '../../harness/people/mail-worker';
import type { MailWorker } from '../../harness/people/mail-worker';
import { activityEnvironment } from '../../harness/platform/activity-environment';
import { createDatabase, openTestDatabase } from '../../harness/platform/database';
import type { TestDatabase } from '../../harness/platform/database';
import { infrastructure } from '../../harness/platform/infrastructure';
import { takePort } from '../../harness/platform/ports';
import { waitFor } from '../../harness/wait-for';
import { deliveriesOf, putDeliveries, putEndpoint } from '../../harness/webhooks/webhook-rows';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { Webhooks } from '../../harness/webhooks/webhooks';

describe('webhook retries', () => {
  let webhooks: Webhooks;
  let retries: Webhooks['retryActivities'];
  beforeAll(async () => {
    webhooks = await openWebhooks();
    retries = webhooks.retryActivities;
  });
  afterEach(async () => {
    await webhooks.stopSenders();
    await webhooks.forget();
  });

  const retried = { state: 'retried', attempts: 1, last_outcome: 'refused', last_status: 503 };
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const releasedOf = async (id: string) =>
    (await deliveriesOf(webhooks.database, id)).map(({ is_released }) => is_released);

  describe('releaseRetries', () => {
    it('releases the due retries of its endpoint, and returns what waits and why', async () => {
      const [id, other] = [await putEndpoint(webhooks.database), await putEndpoint(webhooks.database)];
      await putDeliveries(webhooks.database, id, retried, 2);
      await putDeliveries(webhooks.database, id, { ...retried, next_attempt_at: inMinutes(60) });
      await putDeliveries(webhooks.database, id);
      await putDeliveries(webhooks.database, id, { state: 'gave_up' });
      await putDeliveries(webhooks.database, other, retried);
      const found = await retries.releaseRetries({ endpoint_id: id });
      expect(found).toEqual({
        released: 2,
        waiting: 1,
        in_progress: 2,
        next_due_in_ms: expect.any(Number),
        last_failure: 'HTTP 503',
        paused_reason: null,
        is_open: true,
      });
      expect(Math.round((found.next_due_in_ms ?? 0) / 60_000)).toBe(60);
      expect([await releasedOf(id), await releasedOf(other)]).toEqual([
        [true, true, false, false, false],
        [false],
      ]);
      expect(await retries.releaseRetries({ endpoint_id: id })).toMatchObject({
        released: 0,
        in_progress: 2,
      });
    });

    it('releases more than one statement does', async () => {
      const id = await putEndpoint(webhooks.database);
      await putDeliveries(webhooks.database, id, { ...retried, last_outcome: 'worker_lost' }, 2_100);
      expect(await retries.releaseRetries({ endpoint_id: id })).toMatchObject({
        released: 2_100,
        waiting: 0,
        next_due_in_ms: null,
        last_failure: null,
      });
    });

    it.each([
      [{ paused_reason: 'gone', paused_at: '2026-01-01' }, { paused_reason: 'gone' }],
      [{ enabled: false }, { paused_reason: null }],
      [{ deleted_at: '2026-01-01' }, { paused_reason: null }],
    ])('releases nothing of an endpoint that is closed: %j', async (endpoint, expected) => {
      const id = await putEndpoint(webhooks.database, endpoint);
      await putDeliveries(webhooks.database, id, { ...retried, last_outcome: 'timeout' });
      expect(await retries.releaseRetries({ endpoint_id: id })).toEqual({
        released: 0,
        waiting: 1,
        in_progress: 0,
        next_due_in_ms: 0,
        last_failure: 'timeout',
        is_open: false,
        ...expected,
      });
    });
  });

  describe('retryNow', () => {
    const inAnHour = () => ({
      state: 'retried',
      next_attempt_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const due = async (id: string) => (await deliveriesOf(webhooks.database, id)).map((row) => row.is_due);
    const retryNow = (
      endpoint_id: string,
      delivery_id: string | null = null,
      asked_at = new Date().toISOString(),
    ) => retries.retryNow({ endpoint_id, delivery_id, asked_at });

    it('makes one delivery due, or all of them, also when they are too many for one statement', async () => {
      const id = await putEndpoint(webhooks.database);
      const [first = ''] = await putDeliveries(webhooks.database, id, inAnHour(), 2);
      await retryNow(id, first);
      expect(await due(id)).toEqual([true, false]);
      await putDeliveries(webhooks.database, id, inAnHour(), 2_100);
      await retryNow(id);
      expect(new Set(await due(id))).toEqual(new Set([true]));
    });

    it('leaves finished and released deliveries and those of another endpoint unchanged', async () => {
      const [id, other] = [await putEndpoint(webhooks.database), await putEndpoint(webhooks.database)];
      const [theirs = ''] = await putDeliveries(webhooks.database, other, inAnHour());
      await putDeliveries(webhooks.database, id, { ...inAnHour(), state: 'gave_up' });
      await putDeliveries(webhooks.database, id, { ...inAnHour(), is_released: true });
      await retryNow(id, theirs);
      await retryNow(id);
      expect([await due(id), await due(other)]).toEqual([[null, false], [false]]);
    });

    it('does not repeat an attempt that was made after the request', async () => {
      const id = await putEndpoint(webhooks.database);
      const [delivery = ''] = await putDeliveries(webhooks.database, id, { ...inAnHour(), attempts: 2 });
      const attempt = (startedAt: Date, number: number) =>
        webhooks.database.rows(
          `insert into webhook_attempt (merchant_id, environment, delivery_id, series, attempt, started_at, outcome)
         values ($1, 'production', $2, 1, $3, $4, 'refused')`,
          [merchants.main.id, delivery, number, startedAt],
        );
      const askedAt = Date.now();
      await attempt(new Date(askedAt - 60_000), 1);
      await attempt(new Date(askedAt + 500), 2);
      await retryNow(id, delivery, new Date(askedAt).toISOString());
      expect(await due(id)).toEqual([false]);
      await retryNow(id, delivery, new Date(askedAt + 10_000).toISOString());
      expect(await due(id)).toEqual([true]);
    });
  });
});

describe('webhook replays', () => {
  let workflow: InterviewWorker;
  let activities: ReturnType<typeof createWebhookReplayActivities>;
  beforeAll(async () => {
    workflow = await startInterviewWorker();
    activities = createWebhookReplayActivities({ database: workflow.worker });
  });

  const insert = (filter: ReplayFilter, perSecond = 100) =>
    workflow.api.write(workflow.caller, async (trx) => {
      const [row] = await trx.rows<{ id: string }>(insertReplay(filter, perSecond));
      return row?.id ?? '';
    });
  const page = (id: string, seconds?: number): Promise<ReplayPage> =>
    activityEnvironment().run(activities.replayPage, {
      replay_id: id,
      ...(seconds === undefined ? {} : { seconds }),
    });
  const gaveUp = { state: 'gave_up', attempts: 10 };
  const seriesOf = async (endpointId: string) =>
    (await deliveriesOf(workflow.database, endpointId)).map(({ state, series }) => `${state} ${series}`);

  describe('replayPage', () => {
    it('requeues as many deliveries as a second allows, each once, and counts them', async () => {
      const endpoint_id = await putEndpoint(workflow.database);
      await putDeliveries(workflow.database, endpoint_id, gaveUp, 230);
      const id = await insert({ endpoint_id });
      const shared = { matched: 230, per_second: 100 };
      expect(await page(id)).toEqual({ state: 'running', requeued: 100, replayed: 100, ...shared });
      expect(await page(id)).toEqual({ state: 'running', requeued: 100, replayed: 200, ...shared });
      expect(await page(id)).toEqual({ state: 'done', requeued: 30, replayed: 230, ...shared });
      expect(await page(id)).toEqual({ state: 'done', requeued: 0, replayed: 230, ...shared });
      expect(new Set(await seriesOf(endpoint_id))).toEqual(new Set(['queued 2']));
    });

    it.each([3, 1_000])('requeues no more than the rate at %i a second', async (perSecond) => {
      const endpoint_id = await putEndpoint(workflow.database);
      await putDeliveries(workflow.database, endpoint_id, gaveUp, perSecond + 2);
      expect(await page(await insert({ endpoint_id }, perSecond))).toMatchObject({ requeued: perSecond });
    });

    it('requeues more when it is late, for up to two seconds', async () => {
      const endpoint_id = await putEndpoint(workflow.database);
      await putDeliveries(workflow.database, endpoint_id, gaveUp, 40);
      const id = await insert({ endpoint_id }, 10);
      expect(await page(id, 1.35)).toMatchObject({ requeued: 13 });
      expect(await page(id, 60)).toMatchObject({ requeued: 20 });
    });

    it('sends heartbeats while it takes long', async () => {
      const endpoint_id = await putEndpoint(workflow.database);
      await putDeliveries(workflow.database, endpoint_id, gaveUp, 2);
      const id = await insert({ endpoint_id });
      const environment = activityEnvironment();
      const running = await withAdminConnection(workflow.database.adminUrl, async (holder) => {
        await holder.query('begin');
        await holder.query('select from webhook_replay where id = $1 for update', [id]);
        const beat = once(environment, 'heartbeat');
        const ended = environment.run(activities.replayPage, { replay_id: id });
        await beat;
        await holder.query('commit');
        return { ended };
      });
      expect(await running.ended).toMatchObject({ requeued: 2 });
    });

    it('requeues each delivery once when two run at the same time', async () => {
      const endpoint_id = await putEndpoint(workflow.database);
      await putDeliveries(workflow.database, endpoint_id, gaveUp, 150);
      const id = await insert({ endpoint_id });
      const pages = await Promise.all([page(id), page(id), page(id)]);
      expect(pages.map(({ requeued }) => requeued).sort((a, b) => a - b)).toEqual([0, 50, 100]);
      expect(new Set(await seriesOf(endpoint_id))).toEqual(new Set(['queued 2']));
    });

    it('does nothing for a cancelled replay, and fails for good for an unknown one', async () => {
      const endpoint_id = await putEndpoint(workflow.database);
      await putDeliveries(workflow.database, endpoint_id, gaveUp, 2);
      const id = await insert({ endpoint_id }, 1);
      await page(id);
      await workflow.api.write(workflow.caller, (trx) => trx.count(cancelReplay(id)));
      expect(await page(id)).toMatchObject({ state: 'cancelled', requeued: 0, replayed: 1 });
      expect(await seriesOf(endpoint_id)).toEqual(['queued 2', 'gave_up 1']);
      await expect(page(randomUUID())).rejects.toMatchObject({ type: 'ReplayGone', nonRetryable: true });
    });
  });

  describe('endReplay', () => {
    it('cancels a running replay, and leaves one that is done', async () => {
      const endpoint_id = await putEndpoint(workflow.database);
      await putDeliveries(workflow.database, endpoint_id, gaveUp, 2);
      const [running, done] = [
        await insert({ endpoint_id }, 1),
        await insert({ endpoint_id: await putEndpoint(workflow.database) }),
      ];
      await page(running);
      await page(done);
      const end = (id: string) => activityEnvironment().run(activities.endReplay, { replay_id: id });
      expect(await end(running)).toMatchObject({ state: 'cancelled', replayed: 1 });
      expect(await end(done)).toMatchObject({ state: 'done' });
    });
  });

  describe('replayPage of a merchant with many deliveries', () => {
    it('continues where the last search ended when few of many deliveries match', async () => {
      const endpoint_id = await putEndpoint(workflow.database);
      const many = await putEndpoint(workflow.database);
      const status = { endpoint_id, state: 'gave_up' as const };
      const [first] = await putDeliveries(workflow.database, endpoint_id, gaveUp);
      await putDeliveries(workflow.database, many, { ...gaveUp, state: 'acknowledged' }, 20_500);
      const [last] = await putDeliveries(workflow.database, endpoint_id, gaveUp);
      const id = await insert(status);
      const pages = [await page(id), await page(id)];
      expect(pages.map(({ state, replayed }) => `${state} ${replayed}`)).toEqual(['running 1', 'done 2']);
      expect((await deliveriesOf(workflow.database, endpoint_id)).map((row) => row.id)).toEqual([
        first,
        last,
      ]);
    });
  });
});

describe('webhook pauses', () => {
  let workflow: MailWorker;
  beforeAll(async () => {
    workflow = await startMailWorker();
  });
  afterEach(() => workflow.clear());

  const pausedAt = '2026-03-01T09:30:00.000Z';
  /** Postgres stores the time with microseconds (123 here), while replies contain only milliseconds. */
  const gone = { paused_reason: 'gone', paused_at: pausedAt.replace('.000Z', '.000123Z') };
  const insertPaused = (row: Record<string, unknown> = {}) =>
    putEndpoint(workflow.database, { ...gone, ...row });
  const find = async (id: string) => {
    const [row] = await workflow.database.rows(
      `select paused_reason, paused_at is not null as has_begun, failing_since is not null as is_failing,
       paused_mailed_at is not null as is_mailed from webhook_endpoint where id = $1`,
      [id],
    );
    return row;
  };
  const mail = (id: string, heartbeatDetails?: unknown) => {
    const environment = new MockActivityEnvironment(
      { heartbeatDetails },
      { logger: new DefaultLogger('ERROR', () => undefined) },
    );
    const beats: unknown[] = [];
    environment.on('heartbeat', (beat: unknown) => beats.push(beat));
    return { beats, done: environment.run(workflow.pauseActivities.mailEndpointPaused, { endpoint_id: id }) };
  };
  const owner = people.merchant_owner;

  describe('pauseEndpoint and resumeEndpoint', () => {
    const pauseEndpoint = (id: string) => workflow.pauseActivities.pauseEndpoint({ endpoint_id: id });
    const resumeEndpoint = (id: string, pause_since: string | null = null) =>
      workflow.pauseActivities.resumeEndpoint({ endpoint_id: id, pause_since });
    it('pause once and resume once, although each is called twice', async () => {
      const id = await putEndpoint(workflow.database, { failing_since: pausedAt });
      await pauseEndpoint(id);
      await pauseEndpoint(id);
      expect(await find(id)).toMatchObject({ paused_reason: 'by_hand', has_begun: true, is_failing: true });
      await resumeEndpoint(id);
      await resumeEndpoint(id);
      expect(await find(id)).toEqual({
        paused_reason: null,
        has_begun: false,
        is_failing: false,
        is_mailed: false,
      });
    });

    it('keep the reason of a pause by the platform when it is paused by hand', async () => {
      const id = await insertPaused();
      await pauseEndpoint(id);
      expect(await find(id)).toMatchObject({ paused_reason: 'gone' });
    });

    it('keep another pause when the resume of the first one is late', async () => {
      const id = await insertPaused();
      await resumeEndpoint(id, '2026-03-01T09:29:59.999Z');
      expect(await find(id)).toMatchObject({ paused_reason: 'gone' });
      await resumeEndpoint(id, pausedAt);
      expect(await find(id)).toMatchObject({ paused_reason: null });
    });

    it('keep the days of failures when an endpoint that is not paused is resumed', async () => {
      const id = await putEndpoint(workflow.database, { failing_since: pausedAt });
      await resumeEndpoint(id);
      expect(await find(id)).toMatchObject({ is_failing: true });
    });
  });

  describe('readPause', () => {
    it('returns since when, by whom and whether mailed', async () => {
      const pauses: [string, Record<string, unknown>, unknown][] = [
        ['an endpoint without a pause', {}, null],
        ['a pause by the platform', gone, { since: pausedAt, is_by_hand: false, is_mailed: false }],
        [
          'a pause by hand',
          { ...gone, paused_reason: 'by_hand' },
          { since: pausedAt, is_by_hand: true, is_mailed: false },
        ],
        [
          'a pause that was mailed',
          { ...gone, paused_mailed_at: pausedAt },
          { since: pausedAt, is_by_hand: false, is_mailed: true },
        ],
        ['a deleted endpoint', { ...gone, deleted_at: pausedAt }, null],
      ];
      for (const [name, row, expected] of pauses) {
        const endpoint_id = await putEndpoint(workflow.database, row);
        expect([name, await workflow.pauseActivities.readPause({ endpoint_id })]).toEqual([name, expected]);
      }
    });
  });

  describe('mailEndpointPaused', () => {
    it('mails owners which endpoint, why, since when and how to resume, with only the host of its URL', async () => {
      const id = await insertPaused({ url: 'https://user:pw@hooks.example:8443/in?key=Quetzal' });
      await mail(id).done;
      const mailbox = await workflow.mailbox();
      expect(mailbox.map(({ to }) => to)).toEqual([owner.email]);
      const [{ subject, text, custom_args } = { subject: '', text: '', custom_args: {} }] = mailbox;
      expect(subject).toBe('Webhooks to hooks.example:8443 are paused (production)');
      expect(text).toContain(`https://api.example/console/endpoints/${id}`);
      expect(text).toMatch(/since 2026-03-01 09:30 UTC: it responded with 410 Gone/);
      expect(text).toMatch(/choose “Resume”/);
      expect(`${subject}${text}`).not.toMatch(/Quetzal|\/in\b|pw@/);
      expect(custom_args).toMatchObject({
        mail_id: id,
        merchant_id: merchants.main.id,
        environment: 'production',
      });
      expect(await find(id)).toMatchObject({ is_mailed: true });
      expect(workflow.counted.at(-1)).toBe('endpoint_paused sent');
    });

    it('sends nothing for a pause that was mailed, resumed, by hand or of a deleted endpoint', async () => {
      for (const row of [
        { paused_mailed_at: pausedAt },
        { paused_reason: null, paused_at: null },
        { paused_reason: 'by_hand' },
        { deleted_at: pausedAt },
      ])
        await mail(await insertPaused(row)).done;
      expect(await workflow.mailbox()).toEqual([]);
    });

    it('says since when the endpoint has failed', async () => {
      await mail(await insertPaused({ paused_reason: 'failing', failing_since: '2026-02-24T09:00:00Z' }))
        .done;
      const [letter] = await workflow.mailbox();
      expect(letter?.text).toMatch(/no delivery has succeeded since 2026-02-24 09:00 UTC/);
    });

    describe('with other people at the merchant', () => {
      const insertPerson = async (row: Record<string, unknown>) => {
        const email = `${randomUUID()}@people.example`;
        const values = {
          merchant_id: merchants.other.id,
          role: 'merchant_owner',
          activated_at: pausedAt,
          email,
          email_key: email,
          ...row,
        };
        await workflow.database.rows(
          `insert into profile (${Object.keys(values).join(', ')}) values (${Object.keys(values)
            .map((_, n) => `$${n + 1}`)
            .join(', ')})`,
          Object.values(values),
        );
        return email;
      };
      const theirs = () => insertPaused({ merchant_id: merchants.other.id });
      const recipients = async () => (await workflow.mailbox()).map(({ to }) => to).sort();
      beforeEach(() =>
        workflow.database.rows(`update profile set disabled_at = now() where merchant_id = $1`, [
          merchants.other.id,
        ]),
      );

      it('mails all active owners, or the other staff, but nobody who is disabled or pending', async () => {
        const staff = [await insertPerson({ role: 'merchant' }), await insertPerson({ role: 'merchant' })];
        await insertPerson({ role: 'merchant_selection' });
        await insertPerson({ activated_at: null });
        await mail(await theirs()).done;
        expect(await recipients()).toEqual(staff.sort());
        await workflow.clear();
        const owners = [await insertPerson({}), await insertPerson({})];
        await workflow.database.rows(
          `insert into merchant_access (merchant_id, profile_id, role) values ($1, $2, 'merchant_owner')`,
          [merchants.other.id, people.merchant.id],
        );
        await mail(await theirs()).done;
        expect(await recipients()).toEqual([...owners, people.merchant.email].sort());
        await workflow.database.rows('delete from merchant_access where merchant_id = $1', [
          merchants.other.id,
        ]);
      });

      it('sends nothing when there is nobody to mail, and does not ask again', async () => {
        const id = await theirs();
        await mail(id).done;
        expect(await workflow.mailbox()).toEqual([]);
        expect(await find(id)).toMatchObject({ is_mailed: true });
      });

      it('continues after the people who got the mail when the provider failed in between', async () => {
        for (const name of ['One', 'Two', 'Three']) await insertPerson({ name });
        const id = await theirs();
        await workflow.fault({ delay_ms: 1 });
        await workflow.fault({ status: 503 });
        const first = mail(id);
        await expect(first.done).rejects.toMatchObject({
          type: 'MailProviderUnavailable',
          nonRetryable: false,
        });
        const count = (await workflow.mailbox()).length;
        expect(await find(id)).toMatchObject({ is_mailed: false });
        await workflow.clear();
        await mail(id, first.beats.at(-1)).done;
        expect(count + (await workflow.mailbox()).length).toBe(3);
        expect(JSON.stringify(first.beats)).not.toContain('example');
      });

      it('mails the others when the provider rejects one address', async () => {
        for (const name of ['One', 'Two']) await insertPerson({ name });
        const id = await theirs();
        await workflow.fault({ status: 400, times: 1 });
        await mail(id).done;
        expect(await recipients()).toHaveLength(1);
        expect(await find(id)).toMatchObject({ is_mailed: true });
      });
    });
  });
});

describe('signals of retries', () => {
  let database: TestDatabase;
  let worker: Database;
  let connection: Connection;
  beforeAll(async () => {
    database = await createDatabase();
    worker = openTestDatabase(database.workerUrl, 2);
    connection = await Connection.connect({ address: infrastructure().temporalAddress });
  });
  afterAll(() => connection.close());
  afterEach(async () => {
    await database.rows(`delete from webhook_delivery`);
    await database.rows(`delete from webhook_endpoint`);
  });

  // No worker polls these queues, so workflows are started but do nothing.
  const queues = taskQueues(`signals-${randomBytes(4).toString('hex')}-`);
  const startJob = (
    more: Partial<{ connection: Connection; interceptors: ClientOptions['interceptors'] }> = {},
  ) => {
    const outcomes: string[] = [];
    const client = new Client({ connection, ...more });
    return {
      outcomes,
      ...createRetrySignals({
        database: worker,
        client,
        queues,
        count: (outcome) => void outcomes.push(outcome),
      }),
    };
  };
  /** Records the ids of the workflows that are signalled. Nothing reaches Temporal. */
  const startCounting = () => {
    const signalled: string[] = [];
    const signalWithStart = async ({ options }: { options: { workflowId: string } }) => {
      signalled.push(options.workflowId);
      return randomUUID();
    };
    return { signalled, ...startJob({ interceptors: { workflow: [{ signalWithStart }] } }) };
  };
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
  const due = { state: 'retried', next_attempt_at: ago(3_600) };
  const sorted = (ids: string[]) => ids.toSorted((a, b) => a.localeCompare(b));

  it('start the workflow with its argument, scope and summary, or reach the one that runs', async () => {
    const id = await putEndpoint(database);
    await putDeliveries(database, id, due, 50);
    const { signalDueRetries, outcomes } = startJob();
    const handle = new Client({ connection }).workflow.getHandle(webhookRetriesId(id));
    try {
      // A slow Temporal server can exceed the deadline of a signal, which the next run repeats.
      const signal = async () => {
        const before = outcomes.filter((outcome) => outcome === 'sent').length;
        await waitFor('a signal that is sent', async () => {
          await signalDueRetries().catch(() => undefined);
          return outcomes.filter((outcome) => outcome === 'sent').length > before;
        });
      };
      const countSignals = async () =>
        ((await handle.fetchHistory()).events ?? []).filter(
          ({ workflowExecutionSignaledEventAttributes: signaled }) =>
            signaled?.signalName === retrySignals.changed,
        ).length;
      await signal();
      const first = await handle.describe();
      expect(first).toMatchObject({
        type: 'webhookRetries',
        taskQueue: queues.main,
        searchAttributes: { MerchantId: [merchants.main.id], Environment: ['production'], EndpointId: [id] },
      });
      expect(await first.staticSummary()).toMatch(/^Retries/);
      const [started] = (await handle.fetchHistory()).events ?? [];
      const argument = started?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0];
      expect(JSON.parse(Buffer.from(argument?.data ?? []).toString())).toEqual({ endpoint_id: id });
      const signals = await countSignals();
      await signal();
      expect(await countSignals()).toBeGreaterThan(signals);
      expect((await handle.describe()).runId).toBe(first.runId);
    } finally {
      await handle.terminate().catch(() => undefined);
    }
  });

  it('reach the other endpoints in the same run when one fails', async () => {
    const ids = [];
    for (let n = 0; n < 3; n++) {
      ids.push(await putEndpoint(database));
      await putDeliveries(database, ids[n] ?? '', due);
    }
    const [first = '', ...others] = sorted(ids);
    const reached: string[] = [];
    const signalWithStart = async ({ options }: { options: { workflowId: string } }) => {
      if (options.workflowId === webhookRetriesId(first)) throw new Error('this workflow takes no signal');
      reached.push(options.workflowId);
      return randomUUID();
    };
    const { signalDueRetries, outcomes } = startJob({ interceptors: { workflow: [{ signalWithStart }] } });
    await expect(signalDueRetries()).rejects.toBeInstanceOf(Error);
    expect([sorted(reached), outcomes]).toEqual([others.map(webhookRetriesId), ['failed', 'sent', 'sent']]);
  });

  it('fail while Temporal is away', async () => {
    for (let n = 0; n < 2; n++) await putDeliveries(database, await putEndpoint(database), due);
    const away = Connection.lazy({ address: `127.0.0.1:${await takePort()}` });
    const { signalDueRetries, outcomes } = startJob({ connection: away });
    await expect(signalDueRetries()).rejects.toBeInstanceOf(Error);
    expect(outcomes).toEqual(['failed', 'failed']);
    await away.close();
  });

  it('go to endpoints with a due retry that is not released, and to no others', async () => {
    const put = async (endpoint: Record<string, unknown>, ...deliveries: Record<string, unknown>[]) => {
      const id = await putEndpoint(database, endpoint);
      for (const delivery of deliveries) await putDeliveries(database, id, { ...due, ...delivery });
      return id;
    };
    const released = { is_released: true, next_attempt_at: ago(7_200) };
    const wanted = [await put({}, {}), await put({}, released, released, {})];
    await put({}, { next_attempt_at: ago(-3_600) });
    await put({}, { state: 'queued' });
    await put({}, { state: 'gave_up' });
    await put({}, released);
    await put({ paused_reason: 'by_hand', paused_at: ago(1) }, {});
    await put({ enabled: false }, {});
    await put({ deleted_at: ago(1) }, {});
    const { signalDueRetries, signalled } = startCounting();
    await signalDueRetries();
    expect(sorted(signalled)).toEqual(sorted(wanted.map(webhookRetriesId)));
  });

  it('go to twenty endpoints per run, to all of them in the end, and then again from the first', async () => {
    await database.rows(
      `with endpoint as (
         insert into webhook_endpoint (merchant_id, environment, url, events)
         select $1, 'production', 'https://a.example', '{interview_result}' from generate_series(1, 50) returning id
       )
       insert into webhook_delivery (merchant_id, environment, endpoint_id, event, result_id, reason, state, next_attempt_at)
       select $1, 'production', id, 'interview_result', uuidv7(), 'score', 'retried', now() - interval '1 hour' from endpoint`,
      [merchants.main.id],
    );
    const { signalDueRetries, signalled } = startCounting();
    const counts: number[] = [];
    for (let n = 0; n < 4; n++) {
      await signalDueRetries();
      counts.push(signalled.length);
    }
    expect([counts, new Set(signalled).size]).toEqual([[20, 40, 50, 70], 50]);
  });

  it('go to endpoints that the platform paused without a mail', async () => {
    const gone = { paused_reason: 'gone', paused_at: ago(60) };
    const wanted = [
      await putEndpoint(database, gone),
      await putEndpoint(database, { ...gone, paused_reason: 'failing' }),
    ];
    await putEndpoint(database, { ...gone, paused_mailed_at: ago(30) });
    await putEndpoint(database, { ...gone, deleted_at: ago(30) });
    await putEndpoint(database, { ...gone, paused_reason: 'by_hand' });
    const { signalUnmailedPauses, signalled } = startCounting();
    await signalUnmailedPauses();
    expect(sorted(signalled)).toEqual(sorted(wanted.map(webhookRetriesId)));
  });
});
