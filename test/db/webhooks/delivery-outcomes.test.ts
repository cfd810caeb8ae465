import { randomUUID } from 'node:crypto';
import type { LeasedDelivery } from '../../../db/webhooks/deliveries';
import { ownerLock, reclaimDeliveries, recordOutcomes } from '../../../db/webhooks/delivery-outcomes';
import type { DeliveryOutcome, RecordedEndpoint } from '../../../db/webhooks/delivery-outcomes';
import { noExchange } from '../../harness/webhooks/attempts';
import { leaseAll } from '../../harness/webhooks/leasing';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { Webhooks } from '../../harness/webhooks/webhooks';

const owner = randomUUID();

let webhooks: Webhooks;
beforeAll(async () => {
  webhooks = await openWebhooks();
});
afterAll(() => webhooks.close());
beforeEach(async () => {
  await webhooks.forget();
  await webhooks.database.rows('insert into webhook_lease (owner) values ($1)', [owner]);
});

const lease = (limit?: number, held?: readonly LeasedDelivery[]) =>
  leaseAll(webhooks, owner, { ...(limit ? { limit } : {}), ...(held ? { held } : {}) });
const outcomeOf = (
  { id, series, attempts }: LeasedDelivery,
  more: Partial<DeliveryOutcome> = {},
): DeliveryOutcome => ({
  id,
  series,
  attempts,
  outcome: 'acknowledged',
  wait_ms: 5_000,
  since_ms: 20,
  status: 200,
  error: null,
  request_headers: '{"b":"2","a":"1"}',
  request_body: '{"asked":"\\"\\\\ü"}',
  response_headers: '{"x":"\\u0000"}',
  response_body: 'an "answer" \\ with {braces}, null\n',
  is_truncated: false,
  peer_address: '127.0.0.1',
  dns_ms: null,
  connect_ms: 0.5,
  tls_ms: null,
  first_byte_ms: 1,
  total_ms: 2,
  ...more,
});
const record = (outcomes: DeliveryOutcome[]) =>
  webhooks.worker.queryAsWorker<RecordedEndpoint>(recordOutcomes(outcomes));
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
    expect(await record([outcomeOf(one)])).toMatchObject([
      { endpoint_id: id, recorded: 1, acknowledged: 1, retried: 0, gave_up: 0, paused_reason: null },
    ]);
    expect(await webhooks.rowsOf(id)).toMatchObject([
      { state: 'acknowledged', attempts: 1, wait_s: null, is_finished: true, last_status: 200 },
    ]);
    const { id: _id, attempts: _attempts, since_ms: _since, wait_ms: _wait, ...shown } = outcomeOf(one);
    expect(await webhooks.attemptsOf(id)).toMatchObject([
      {
        ...shown,
        attempt: 1,
        request_headers: { b: '2', a: '1' },
        response_headers: { x: '\0' },
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
    const failed = { outcome: 'refused' as const, status: 500, wait_ms: 3_600_000 };
    expect(await record(leased.map((one) => outcomeOf(one, failed)))).toMatchObject([
      { recorded: 2, retried: 1, gave_up: 1 },
    ]);
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
    const recorded = await record(
      leased.map((one) => {
        if (one.endpoint_id === gone) return outcomeOf(one, refused(410));
        if (one.endpoint_id === failing || ofWell++ === 0) return outcomeOf(one, refused(500));
        return outcomeOf(one);
      }),
    );
    expect(Object.fromEntries(recorded.map((row) => [row.endpoint_id, row.paused_reason]))).toEqual({
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
    await record([outcomeOf(await leaseOne(), { outcome: 'worker_lost', status: null, wait_ms: 0 })]);
    const attempts = delivery.attempts + 1;
    expect(await leaseOne()).toMatchObject({ attempts, series: 1 });
    expect(await webhooks.rowsOf(id)).toMatchObject([{ ...delivery, attempts }]);
  });

  it('takes a released retry out of the queue when it fails', async () => {
    const id = await webhooks.endpoint('http://a.example');
    await webhooks.deliveries(id, 1, { state: 'retried', attempts: 2, is_released: true });
    await record([outcomeOf(await leaseOne(), { outcome: 'refused', status: 500, wait_ms: 0 })]);
    expect(await webhooks.rowsOf(id)).toMatchObject([{ state: 'retried', attempts: 3, is_released: false }]);
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
    const outcomes = ids.map((id, index) => ({
      id,
      series: 1,
      attempts: 0,
      outcome: 'acknowledged' as const,
      wait_ms: 0,
      since_ms: 1,
      status: 200,
      ...noExchange,
      request_body: bodies[index] ?? null,
    }));
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
