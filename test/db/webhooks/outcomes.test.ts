import { randomUUID } from 'node:crypto';
import type { ClientBase } from 'pg';
import { withAdminConnection } from '../../../db/platform/credentials';
import { createQueries } from '../../../db/platform/database';
import type { Queries } from '../../../db/platform/database';
import { leaseDue, listQueuedEndpoints, stampOf } from '../../../db/webhooks/deliveries';
import type { LeasedDelivery, LeaseRequest } from '../../../db/webhooks/deliveries';
import { holdEndpointOf, lockDelivery } from '../../../db/webhooks/delivery-history';
import { ownerLock, reclaimDeliveries, recordOutcomes } from '../../../db/webhooks/delivery-outcomes';
import type { DeliveryOutcome } from '../../../db/webhooks/delivery-outcomes';
import type { AttemptOutcome } from '../../../db/webhooks/vocabulary';
import { cancelDeliveries, deleteEndpoint, lockEndpoint } from '../../../db/webhooks/webhook-endpoints';
import { createDatabase } from '../../harness/platform/database';
import type { TestDatabase } from '../../harness/platform/database';
import { waitFor } from '../../harness/wait-for';
import { outcomeOf as outcomeWithoutExchange } from '../../harness/webhooks/attempts';
import { allEndpoints, findOpen, leaseAll, request } from '../../harness/webhooks/leasing';
import {
  deliveriesOf,
  endpointRow,
  ours,
  putDelivery,
  putEndpoint,
} from '../../harness/webhooks/webhook-rows';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { Webhooks } from '../../harness/webhooks/webhooks';
import { pagesRead } from '../platform/plan-cost';

const owner = randomUUID();
let webhooks: Webhooks;
beforeAll(async () => {
  webhooks = await openWebhooks();
});
beforeEach(async () => {
  await webhooks.forget();
  await webhooks.database.rows('insert into webhook_lease (owner) values ($1)', [owner]);
});

/** Returns why an endpoint is paused, or null. */
const pauseOf = async (endpointId: string): Promise<string | null | undefined> => {
  const [row] = await webhooks.database.rows<{ paused_reason: string | null }>(
    'select paused_reason from webhook_endpoint where id = $1',
    [endpointId],
  );
  return row?.paused_reason;
};

describe('deliveries', () => {
  const leaseOfAll = (limit?: number, held?: readonly LeasedDelivery[]) =>
    leaseAll(webhooks, owner, { ...(limit ? { limit } : {}), ...(held ? { held } : {}) });
  const lease = (
    requests: readonly LeaseRequest[],
    { held = [], by = owner }: { held?: LeasedDelivery[]; by?: string } = {},
  ) => webhooks.worker.queryAsWorker(leaseDue(by, requests, held));
  const leaseOf = async (by = owner) => {
    const [lease] = await webhooks.database.rows<{ delivery_ids: string[]; stamps: number[] }>(
      'select delivery_ids, stamps from webhook_lease where owner = $1',
      [by],
    );
    return lease;
  };

  const endpoints = async (count: number) => {
    const ids: string[] = [];
    while (ids.length < count) ids.push(await webhooks.endpoint('http://a.example'));
    return ids.toSorted();
  };
  const counts = (ids: readonly string[], rows: readonly LeasedDelivery[]) =>
    ids.map((id) => rows.filter(({ endpoint_id }) => endpoint_id === id).length);

  describe('leaseDue', () => {
    it('leases the next deliveries of each chosen endpoint, oldest first, with the payload', async () => {
      const [a = '', b = '', c = ''] = await endpoints(3);
      const ofA = await webhooks.deliveries(a, 6);
      await webhooks.deliveries(b, 6);
      await webhooks.deliveries(c, 6);
      const leased = await lease([request(a, 4), request(c, 5)]);
      expect(counts([a, b, c], leased)).toEqual([4, 0, 5]);
      expect(leased.filter(({ endpoint_id }) => endpoint_id === a).map(({ id }) => id)).toEqual(
        ofA.slice(0, 4),
      );
      expect(leased[0]).toMatchObject({ event: 'interview_result', series: 1, attempts: 0, version: 1 });
      expect(JSON.parse(leased[0]?.payload ?? '')).toMatchObject({
        id: webhooks.resultId,
        reason: 'score',
        score: 7.5,
      });
      expect(await leaseOf()).toEqual({
        delivery_ids: leased.map(({ id }) => id),
        stamps: leased.map(stampOf),
      });
    });

    it('takes nothing of endpoints that are paused, turned off or deleted', async () => {
      const now = new Date();
      const closed = [{ paused_reason: 'by_hand', paused_at: now }, { enabled: false }, { deleted_at: now }];
      const ids: string[] = [];
      for (const more of closed) ids.push(await webhooks.endpoint('http://a.example', more));
      for (const id of ids) await webhooks.deliveries(id, 2);
      expect([await findOpen(webhooks), await lease(ids.map((id) => request(id)))]).toEqual([[], []]);
    });

    it('takes released retries like first attempts, oldest first, and no other retries', async () => {
      const [id = ''] = await endpoints(1);
      const at = (seconds: number) => ({ next_attempt_at: new Date(seconds * 1_000) });
      await webhooks.deliveries(id, 1, { state: 'retried', attempts: 1, ...at(1) });
      const [second] = await webhooks.deliveries(id, 1, at(3));
      const [first] = await webhooks.deliveries(id, 1, {
        state: 'retried',
        attempts: 4,
        is_released: true,
        ...at(2),
      });
      expect(await findOpen(webhooks)).toEqual([id]);
      expect(await lease([request(id)])).toMatchObject([
        { id: first, attempts: 4 },
        { id: second, attempts: 0 },
      ]);
    });

    it('takes deliveries that are due at the watermark or later', async () => {
      const [id = ''] = await endpoints(1);
      const at = (seconds: number) => ({ next_attempt_at: new Date(seconds * 1_000) });
      await webhooks.deliveries(id, 1, at(99.999));
      const [even] = await webhooks.deliveries(id, 1, at(100));
      const [later] = await webhooks.deliveries(id, 1, at(101));
      expect((await lease([request(id, 4, 100)])).map((row) => row.id)).toEqual([even, later]);
    });

    it('skips leased deliveries, and releases those that their owner no longer names', async () => {
      const [id = ''] = await endpoints(1);
      const [one = '', other = '', third = ''] = await webhooks.deliveries(id, 3);
      await webhooks.database.rows(
        'insert into webhook_lease (owner, delivery_ids, stamps) values ($1, $2, $3)',
        [randomUUID(), [other], [100]],
      );
      const held = await leaseOfAll(1);
      expect(held.map((row) => row.id)).toEqual([one]);
      expect((await leaseOfAll(4, held)).map((row) => row.id)).toEqual([third]);
      expect(await leaseOf()).toEqual({ delivery_ids: [one, third], stamps: [100, 100] });
      expect((await leaseOfAll()).map((row) => row.id)).toEqual([one, third]);
    });

    it('takes nothing for an owner that has lost its lease', async () => {
      const [id = ''] = await endpoints(1);
      await webhooks.deliveries(id);
      expect(await lease([request(id)], { by: randomUUID() })).toEqual([]);
      expect(await leaseOfAll()).toHaveLength(1);
    });
  });
});

describe('delivery outcomes', () => {
  const lease = (limit?: number, held?: readonly LeasedDelivery[]) =>
    leaseAll(webhooks, owner, { ...(limit ? { limit } : {}), ...(held ? { held } : {}) });
  const exchange = {
    request_headers: '{"b":"2","a":"1"}',
    request_body: '{"asked":"\\"\\\\ü"}',
  };
  const answer = {
    status: 200,
    response_headers: { x: '\0' },
    response_body: 'an "answer" \\ with {braces}, null\n',
    peer_address: '127.0.0.1',
    ms: { dns: null, connect: 0.5, tls: null, first_byte: 1, total: 2 },
  };
  const outcomeOf = (
    delivery: LeasedDelivery,
    result: Partial<DeliveryOutcome['result']> = {},
    wait_ms = 5_000,
  ) => outcomeWithoutExchange(delivery, { ...answer, ...result }, { ...exchange, wait_ms });
  const record = (outcomes: DeliveryOutcome[]) => webhooks.worker.queryAsWorker(recordOutcomes(outcomes));
  const leaseOne = async () => {
    const [one] = await lease(1);
    if (!one) throw new Error('nothing was leased');
    return one;
  };
  /** Inserts a lease of the owner `by` on all deliveries in the queue. */
  const hold = (by: string) =>
    webhooks.database.rows(
      `insert into webhook_lease (owner, delivery_ids, stamps)
     select $1, array_agg(id order by id), array_agg(series * 100 + attempts order by id) from webhook_delivery
     where state = 'queued' or is_released`,
      [by],
    );
  const leaseOf = async (by = owner) => {
    const [lease] = await webhooks.database.rows<{ delivery_ids: string[]; stamps: number[] }>(
      'select delivery_ids, stamps from webhook_lease where owner = $1',
      [by],
    );
    return lease;
  };

  describe('recordOutcomes', () => {
    it('stores an acknowledgement as final, with its attempt', async () => {
      const id = await webhooks.endpoint('http://a.example', { failing_since: new Date() });
      await webhooks.deliveries(id);
      const one = await leaseOne();
      expect(await record([outcomeOf(one)])).toEqual([{ id: one.id }]);
      expect(await webhooks.rowsOf(id)).toMatchObject([
        { state: 'acknowledged', attempts: 1, wait_s: null, is_finished: true, last_status: 200 },
      ]);
      const { ms, ...shown } = answer;
      expect(await webhooks.attemptsOf(id)).toMatchObject([
        {
          ...shown,
          ...Object.fromEntries(Object.entries(ms).map(([phase, took]) => [`${phase}_ms`, took])),
          series: 1,
          attempt: 1,
          outcome: 'acknowledged',
          error: null,
          is_truncated: false,
          request_headers: { b: '2', a: '1' },
          request_body: exchange.request_body,
          triggered_by: null,
        },
      ]);
      const [endpoint] = await webhooks.database.rows('select failing_since from webhook_endpoint');
      expect(endpoint).toEqual({ failing_since: null });
    });

    it('schedules a failed delivery by the database’s clock, gives up after the tenth, and keeps who asked for it', async () => {
      const id = await webhooks.endpoint('http://a.example');
      const caller = randomUUID();
      await webhooks.deliveries(id, 1, { triggered_by: caller });
      await webhooks.deliveries(id, 1, { attempts: 9 });
      const leased = await lease();
      const failed = { outcome: 'refused' as const, status: 500 };
      expect(await record(leased.map((one) => outcomeOf(one, failed, 3_600_000)))).toHaveLength(2);
      const [waits, over] = await webhooks.rowsOf(id);
      expect(waits).toMatchObject({
        state: 'retried',
        attempts: 1,
        is_finished: false,
        last_outcome: 'refused',
      });
      expect(Math.round((waits?.wait_s ?? 0) / 3_600)).toBe(1);
      expect(over).toMatchObject({ state: 'gave_up', attempts: 10, is_finished: true, wait_s: null });
      expect((await webhooks.attemptsOf(id)).map((row) => [row.attempt, row['triggered_by']])).toEqual([
        [1, caller],
        [10, null],
      ]);
      const [endpoint] = await webhooks.database.rows<{ failing_since: string | null }>(
        'select failing_since from webhook_endpoint',
      );
      expect(endpoint?.failing_since).not.toBeNull();
    });

    it('pauses the endpoint after 410 or five days of failures, and its delivery waits', async () => {
      const gone = await webhooks.endpoint('http://a.example');
      const long = { failing_since: '2020-01-01', last_failed_at: new Date() };
      const failing = await webhooks.endpoint('http://b.example', long);
      const well = await webhooks.endpoint('http://c.example', long);
      for (const id of [gone, failing, well, well]) await webhooks.deliveries(id);
      const leased = await lease();
      const refused = (status: number) => ({ outcome: 'refused' as const, status });
      let ofWell = 0;
      await record(
        leased.map((one) => {
          if (one.endpoint_id === gone) return outcomeOf(one, refused(410));
          if (one.endpoint_id === failing || ofWell++ === 0) return outcomeOf(one, refused(500));
          return outcomeOf(one);
        }),
      );
      expect(
        Object.fromEntries(
          await Promise.all([gone, failing, well].map(async (id) => [id, await pauseOf(id)])),
        ),
      ).toEqual({
        [gone]: 'gone',
        [failing]: 'failing',
        [well]: null,
      });
      expect(await webhooks.rowsOf(gone)).toMatchObject([{ state: 'retried' }]);
      expect(await lease()).toEqual([]);
    });

    it('counts an acknowledgement of a deleted endpoint, and cancels after a failure', async () => {
      const id = await webhooks.endpoint('http://a.example');
      await webhooks.deliveries(id, 2);
      const leased = await lease();
      await webhooks.database.rows('update webhook_endpoint set deleted_at = now()');
      const [one, two] = leased;
      if (!one || !two) throw new Error('nothing was leased');
      await record([outcomeOf(one), outcomeOf(two, { outcome: 'network', status: null })]);
      expect((await webhooks.rowsOf(id)).map(({ state }) => state).toSorted()).toEqual([
        'acknowledged',
        'cancelled',
      ]);
    });

    it('records nothing a second time, after a reclaim, or for another series', async () => {
      const id = await webhooks.endpoint('http://a.example');
      await webhooks.deliveries(id);
      const one = await leaseOne();
      expect(await record([outcomeOf({ ...one, series: 2 })])).toEqual([]);
      expect(await record([outcomeOf(one)])).toHaveLength(1);
      expect(await record([outcomeOf(one)])).toEqual([]);
      expect(await webhooks.attemptsOf(id)).toHaveLength(1);
    });

    it.each([
      [{ state: 'queued', attempts: 0, is_released: false }],
      [{ state: 'retried', attempts: 2, is_released: true }],
    ])('records worker_lost like any attempt, but the delivery stays in the queue: %j', async (delivery) => {
      const id = await webhooks.endpoint('http://a.example');
      await webhooks.deliveries(id, 1, delivery);
      await record([outcomeOf(await leaseOne(), { outcome: 'worker_lost', status: null }, 0)]);
      const attempts = delivery.attempts + 1;
      expect(await leaseOne()).toMatchObject({ attempts, series: 1 });
      expect(await webhooks.rowsOf(id)).toMatchObject([{ ...delivery, attempts }]);
    });

    it('takes a released retry out of the queue when it fails', async () => {
      const id = await webhooks.endpoint('http://a.example');
      await webhooks.deliveries(id, 1, { state: 'retried', attempts: 2, is_released: true });
      await record([outcomeOf(await leaseOne(), { outcome: 'refused', status: 500 }, 0)]);
      expect(await webhooks.rowsOf(id)).toMatchObject([
        { state: 'retried', attempts: 3, is_released: false },
      ]);
      expect(await lease()).toEqual([]);
    });

    it('keeps the body of each attempt, also with multi-byte characters and without a body', async () => {
      const bodies = [
        '{"a":"ä€😀"}',
        null,
        '{"b":"\\"\\\\\\n"}',
        '{"c":"é"}',
        null,
        `{"d":"${'ö'.repeat(9_000)}"}`,
      ];
      const endpointId = await webhooks.endpoint('http://a.example');
      const ids = await webhooks.deliveries(endpointId, bodies.length);
      const outcomes = ids.map((id, index) =>
        outcomeWithoutExchange({ id }, {}, { request_body: bodies[index] ?? null }),
      );
      await webhooks.worker.queryAsWorker(recordOutcomes(outcomes));
      const kept = new Map(
        (await webhooks.attemptsOf(endpointId)).map((one) => [one.delivery_id, one['request_body']]),
      );
      expect(ids.map((id) => kept.get(id))).toEqual(bodies);
    });
  });

  describe('reclaimDeliveries', () => {
    const reclaim = () =>
      webhooks.worker.queryAsWorker<{ reclaimed: number; gave_up: number }>(reclaimDeliveries(owner));

    it('counts an attempt for deliveries of a dead sender, which are due at once or given up after the tenth', async () => {
      const id = await webhooks.endpoint('http://a.example');
      await webhooks.deliveries(id);
      await webhooks.deliveries(id, 1, { attempts: 9 });
      await hold(randomUUID());
      expect(await reclaim()).toEqual([{ reclaimed: 2, gave_up: 1 }]);
      expect(await webhooks.rowsOf(id)).toMatchObject([
        { state: 'queued', attempts: 1, last_outcome: 'worker_lost', is_finished: false },
        { state: 'gave_up', attempts: 10, is_finished: true, wait_s: null },
      ]);
      expect((await webhooks.attemptsOf(id)).map((row) => [row.attempt, row.outcome])).toEqual([
        [1, 'worker_lost'],
        [10, 'worker_lost'],
      ]);
      expect(await reclaim()).toEqual([{ reclaimed: 0, gave_up: 0 }]);
    });

    it('keeps its own lease and that of a live owner', async () => {
      const id = await webhooks.endpoint('http://a.example');
      await webhooks.deliveries(id);
      await lease();
      const alive = randomUUID();
      await hold(alive);
      await webhooks.database.rows('select pg_advisory_lock($1, hashtext($2))', [ownerLock, alive]);
      expect(await reclaim()).toEqual([{ reclaimed: 0, gave_up: 0 }]);
      await webhooks.database.rows('select pg_advisory_unlock_all()');
      expect(await reclaim()).toEqual([{ reclaimed: 1, gave_up: 0 }]);
      expect((await leaseOf())?.delivery_ids).toHaveLength(1);
    });

    it('skips deliveries that were recorded after their owner died', async () => {
      const id = await webhooks.endpoint('http://a.example');
      await webhooks.deliveries(id);
      const one = await leaseOne();
      await webhooks.database.rows('update webhook_lease set owner = $1', [randomUUID()]);
      await record([outcomeOf(one)]);
      expect(await reclaim()).toEqual([{ reclaimed: 0, gave_up: 0 }]);
      expect(await webhooks.rowsOf(id)).toMatchObject([{ state: 'acknowledged', attempts: 1 }]);
    });
  });
});

describe('failing endpoints', () => {
  /*
   * Tests that an endpoint is paused after it has failed for days without a success in between. The tests give all
   * times in hours before now.
   */

  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

  /** Creates an endpoint whose first failure was `since` hours ago and whose last failure was `last` hours ago. */
  const failing = (since: number | null, last: number | null) =>
    webhooks.endpoint('http://a.example', {
      failing_since: since === null ? null : hoursAgo(since),
      last_failed_at: last === null ? null : hoursAgo(last),
    });

  /** Records attempts with these outcomes, and returns why the endpoint was paused, or null if it was not. */
  async function attempt(endpointId: string, ...outcomes: AttemptOutcome[]) {
    const ids = await webhooks.deliveries(endpointId, outcomes.length);
    await webhooks.worker.queryAsWorker(
      recordOutcomes(
        outcomes.map((outcome, index) => outcomeWithoutExchange({ id: ids[index] ?? '' }, { outcome })),
      ),
    );
    return pauseOf(endpointId);
  }

  const find = async (id: string) => {
    const [row] = await webhooks.database.rows<{ since: number | null; last: number | null }>(
      `select round(extract(epoch from now() - failing_since) / 3600)::int as since,
       round(extract(epoch from now() - last_failed_at) / 3600)::int as last
     from webhook_endpoint where id = $1`,
      [id],
    );
    return row;
  };

  describe('recordOutcomes of an endpoint that fails', () => {
    it('stores the first and last failure', async () => {
      const failures: [string, number | null, number | null, number, number][] = [
        ['the first time', null, null, 0, 0],
        ['some hours after the last failure', 100, 30, 100, 0],
        ['within the hour: nothing is written', 100, 0.4, 100, 0],
        ['after the longest Retry-After', 100, 57, 100, 0],
        ['after days without an attempt', 200, 59, 0, 0],
        ['after an acknowledgement', null, 3, 0, 0],
      ];
      for (const [name, since, last, expectedSince, expectedLast] of failures) {
        const id = await failing(since, last);
        expect([name, await attempt(id, 'refused'), await find(id)]).toEqual([
          name,
          null,
          { since: expectedSince, last: expectedLast },
        ]);
      }
    });

    it('pauses the endpoint after five days of failures only', async () => {
      const failures: [string, number, number, AttemptOutcome[], string | null][] = [
        ['five days of failures', 121, 1, ['timeout'], 'failing'],
        ['five days, some minutes after the last failure', 121, 0.1, ['network'], 'failing'],
        ['not quite five days', 119, 1, ['timeout'], null],
        ['one failure long ago, one now', 121, 60, ['timeout'], null],
        ['five days with an acknowledgement among them', 121, 1, ['refused', 'acknowledged'], null],
        ['five days of failures, then an attempt lost with its worker', 121, 1, ['worker_lost'], null],
      ];
      for (const [name, since, last, outcomes, reason] of failures)
        expect([name, await attempt(await failing(since, last), ...outcomes)]).toEqual([name, reason]);
    });

    it('does not update an endpoint whose last failure was within the hour', async () => {
      const id = await failing(100, 0.4);
      const version = () =>
        webhooks.database.rows('select xmin::text from webhook_endpoint where id = $1', [id]);
      const before = await version();
      await attempt(id, 'refused', 'refused');
      expect(await version()).toEqual(before);
    });
  });
});

describe('due endpoints', () => {
  const endpoints = async (count: number) => {
    const ids: string[] = [];
    while (ids.length < count) ids.push(await webhooks.endpoint('http://a.example'));
    return ids.toSorted();
  };

  describe('listQueuedEndpoints', () => {
    it('finds open endpoints with queued deliveries, page by page', async () => {
      const ids = await endpoints(5);
      for (const id of ids) await webhooks.deliveries(id, 3);
      await endpoints(2);
      expect(await findOpen(webhooks)).toEqual(ids);
      expect(await findOpen(webhooks, { limitEndpoints: 2 })).toEqual(ids.slice(0, 2));
      expect(await findOpen(webhooks, { limitEndpoints: 2, after: ids[1] ?? '' })).toEqual(ids.slice(2, 4));
    });

    it('finds each endpoint in one of two shards', async () => {
      const ids = await endpoints(12);
      for (const id of ids) await webhooks.deliveries(id);
      const shards = [0, 1].map((shard) => findOpen(webhooks, { shards: 2, shard }));
      const found = (await Promise.all(shards)).flat();
      expect(found.toSorted()).toEqual(ids);
    });

    it('reads little of 5,000 closed endpoints, and finds open ones between and after them', async () => {
      const { rows } = webhooks.database;
      const closed = await rows<{ id: string }>(
        `insert into webhook_endpoint (merchant_id, environment, url, events, paused_reason, paused_at)
       select $1, 'production', 'http://a.example', '{interview_failed}', 'by_hand', now() from generate_series(1, 5000)
       returning id`,
        [ours.merchant_id],
      );
      await rows(
        `insert into webhook_delivery (merchant_id, environment, endpoint_id, event, reason)
       select merchant_id, environment, e.id, 'test', 'test' from webhook_endpoint e, generate_series(1, 4)`,
      );
      const [{ id: last } = { id: '' }] = await rows<{ id: string }>(
        `insert into webhook_endpoint (merchant_id, environment, url, events)
       values ($1, 'production', 'http://a.example', '{interview_failed}') returning id`,
        [ours.merchant_id],
      );
      await webhooks.deliveries(last, 2);
      await rows('vacuum analyze webhook_endpoint, webhook_delivery');
      expect(await findOpen(webhooks, { limitEndpoints: 3 })).toEqual([last]);
      const scan = listQueuedEndpoints({ ...allEndpoints, limitEndpoints: 256 });
      expect(await pagesRead(webhooks.worker.writeAsWorker, scan)).toBeLessThan(300);
      const between = closed[2_500]?.id ?? '';
      await rows('update webhook_endpoint set paused_reason = null, paused_at = null where id = $1', [
        between,
      ]);
      expect(await findOpen(webhooks, { limitEndpoints: 5 })).toEqual([between, last]);
    });
  });
});

describe('delivery locks', () => {
  /*
   * Tests that two transactions that both lock an endpoint and its delivery do not deadlock
   * (docs/webhooks.md#lock-order).
   */

  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });

  type Session = Queries & { client: ClientBase; pid: number };
  /** Runs `work` with two open transactions. A statement that waits 20 s for a lock fails. */
  const inTwoTransactions = (work: (one: Session, other: Session) => Promise<void>): Promise<void> =>
    withAdminConnection(database.adminUrl, (first) =>
      withAdminConnection(database.adminUrl, async (second) => work(await begin(first), await begin(second))),
    );
  async function begin(client: ClientBase): Promise<Session> {
    await client.query(`begin; set local lock_timeout = '20s'`);
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return { ...createQueries(client), client, pid: rows[0]?.pid ?? 0 };
  }
  const commit = ({ client }: Session) => client.query('commit');
  const toWait = ({ pid }: Session) =>
    waitFor('the transaction to wait for a lock', async () => {
      const found = await database.rows<{ is_waiting: boolean }>(
        `select wait_event_type = 'Lock' as is_waiting from pg_stat_activity where pid = $1`,
        [pid],
      );
      return found[0]?.is_waiting === true;
    });

  /**
   * Creates a delivery that a sender is sending. The endpoint has not failed before. Recording the first failure
   * therefore also updates the endpoint's row, which the other transaction locks.
   */
  const makeDelivery = async () => {
    const endpointId = await putEndpoint(database);
    const id = await putDelivery(database, endpointId, { state: 'retried', attempts: 1, is_released: true });
    return { endpointId, id };
  };
  const failureOf = (id: string) =>
    recordOutcomes([outcomeWithoutExchange({ id, attempts: 1 }, { outcome: 'refused', status: 500 })]);

  describe('a retry and the record of an outcome', () => {
    it('both succeed when the retry locks the endpoint first', async () => {
      const { endpointId, id } = await makeDelivery();
      await inTwoTransactions(async (retry, sender) => {
        await retry.rows(holdEndpointOf(id));
        expect(await sender.rows(failureOf(id))).toHaveLength(1);
        const locked = retry.one(lockDelivery(id));
        await toWait(retry);
        await commit(sender);
        expect(await locked).toMatchObject({ state: 'retried', attempts: 2 });
        await commit(retry);
      });
      expect((await endpointRow(database, endpointId)).failing_since).not.toBeNull();
    });

    it('both succeed when the record locks the delivery first', async () => {
      const { id } = await makeDelivery();
      await inTwoTransactions(async (retry, sender) => {
        expect(await sender.rows(failureOf(id))).toHaveLength(1);
        await retry.rows(holdEndpointOf(id));
        const locked = retry.one(lockDelivery(id));
        await toWait(retry);
        await commit(sender);
        expect(await locked).toMatchObject({ state: 'retried', attempts: 2 });
        await commit(retry);
      });
    });
  });

  describe('the deletion of an endpoint and the record of an outcome', () => {
    it('both succeed, and the delivery that is being recorded is left to the cleanup job', async () => {
      const { endpointId, id } = await makeDelivery();
      const waiting = await putDelivery(database, endpointId, { state: 'retried', attempts: 1 });
      // The deletion skips the leased delivery while the record of its outcome locks its row.
      await inTwoTransactions(async (remove, sender) => {
        await remove.one(lockEndpoint(endpointId));
        const recorded = sender.rows(failureOf(id));
        await toWait(sender);
        await remove.count(deleteEndpoint(endpointId));
        expect(await remove.count(cancelDeliveries(endpointId, 100))).toBe(1);
        await commit(remove);
        expect(await recorded).toHaveLength(1);
        await commit(sender);
      });
      const states = new Map((await deliveriesOf(database, endpointId)).map((row) => [row.id, row.state]));
      expect([states.get(id), states.get(waiting)]).toEqual(['retried', 'cancelled']);
    });
  });

  describe('the deletion of an endpoint and a retry', () => {
    it('run one after the other', async () => {
      const { endpointId, id } = await makeDelivery();
      await inTwoTransactions(async (remove, retry) => {
        await retry.rows(holdEndpointOf(id));
        const locked = remove.one(lockEndpoint(endpointId));
        await toWait(remove);
        await retry.one(lockDelivery(id));
        await commit(retry);
        expect(await locked).toMatchObject({ id: endpointId });
        await commit(remove);
      });
    });
  });
});
