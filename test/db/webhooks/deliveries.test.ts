import { randomUUID } from 'node:crypto';
import { claimQueued, stampOf } from '../../../db/webhooks/deliveries';
import { claimRetried } from '../../../db/webhooks/delivery-retries';
import type { ClaimLimits, ClaimRow, ClaimedDelivery } from '../../../db/webhooks/deliveries';
import {
  ownerLock,
  recordOutcomes,
  releaseDeliveries,
  takeBackQueued,
  takeBackRetried,
} from '../../../db/webhooks/delivery-outcomes';
import type { DeliveryOutcome, RecordedEndpoint } from '../../../db/webhooks/delivery-outcomes';
import { wideClaim } from '../../harness/claim-shares';
import { openWebhooks } from '../../harness/webhooks';
import type { Webhooks } from '../../harness/webhooks';

const owner = randomUUID();
const limits: ClaimLimits = { ...wideClaim, owner };

let webhooks: Webhooks;
beforeAll(async () => {
  webhooks = await openWebhooks();
});
afterAll(() => webhooks.close());
beforeEach(async () => {
  await webhooks.forget();
  await webhooks.database.rows('insert into webhook_hand (owner) values ($1)', [owner]);
});

const claim = async (more: Partial<ClaimLimits> = {}) => {
  const rows = await webhooks.worker.queryAsWorker<ClaimRow>(claimQueued({ ...limits, ...more }));
  return {
    claimed: rows.filter((row): row is ClaimRow & ClaimedDelivery => row.id !== null),
    resume_after: rows[0]?.resume_after,
  };
};
const outcomeOf = (
  { id, series, attempts }: ClaimedDelivery,
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
const record = (outcomes: DeliveryOutcome[], by: string | null = null) =>
  webhooks.worker.queryAsWorker<RecordedEndpoint>(recordOutcomes(by, outcomes));
const claimOne = async () => {
  const {
    claimed: [one],
  } = await claim({ limitRows: 1 });
  if (!one) throw new Error('nothing was claimed');
  return one;
};
/** Puts all that is queued into a hand of that owner. */
const hold = (by: string) =>
  webhooks.database.rows(
    `insert into webhook_hand (owner, delivery_ids, stamps)
     select $1, array_agg(id order by id), array_agg(series * 100 + attempts order by id) from webhook_delivery where state = 'queued'`,
    [by],
  );
const inHand = async (by = owner) => {
  const [hand] = await webhooks.database.rows<{ delivery_ids: string[]; stamps: number[] }>(
    'select delivery_ids, stamps from webhook_hand where owner = $1',
    [by],
  );
  return hand;
};

describe('claimQueued', () => {
  it('due rows of several endpoints: of each its free slots, oldest first, with the payload, in the owner’s hand', async () => {
    const [a, b, c] = [
      await webhooks.endpoint('http://a.example'),
      await webhooks.endpoint('http://b.example', { in_flight_limit: 2 }),
      await webhooks.endpoint('http://c.example'),
    ];
    const ofA = await webhooks.deliveries(a, 6);
    await webhooks.deliveries(b, 6);
    await webhooks.deliveries(c, 6);
    const { claimed, resume_after } = await claim({ endpointIds: [c], slots: [5], inFlight: [0] });
    const counts = Object.fromEntries(
      [a, b, c].map((id) => [id, claimed.filter(({ endpoint_id }) => endpoint_id === id).length]),
    );
    expect(counts).toEqual({ [a]: 4, [b]: 2, [c]: 5 });
    expect(resume_after).toBeNull();
    expect(claimed.filter(({ endpoint_id }) => endpoint_id === a).map(({ id }) => id)).toEqual(
      ofA.slice(0, 4),
    );
    expect(claimed[0]).toMatchObject({ event: 'interview_result', series: 1, attempts: 0, version: 1 });
    expect(JSON.parse(claimed[0]?.payload ?? '')).toMatchObject({
      id: webhooks.resultId,
      reason: 'score',
      score: 7.5,
    });
    const hand = await inHand();
    expect(hand).toEqual({ delivery_ids: claimed.map(({ id }) => id), stamps: claimed.map(stampOf) });
    expect((await claim({ endpointIds: [a, b, c], slots: [0, 0, 0], inFlight: [4, 2, 5] })).claimed).toEqual(
      [],
    );
  });

  it('paused, turned off, deleted, at its limit beside an attemptDue: rows wait', async () => {
    const now = new Date();
    const closed = [
      { paused_reason: 'by_hand', paused_at: now },
      { enabled: false },
      { deleted_at: now },
      { retrying_until: '2100-01-01', in_flight_limit: 1 },
    ];
    for (const more of closed)
      await webhooks.deliveries(await webhooks.endpoint('http://a.example', more), 2);
    expect((await claim()).claimed).toEqual([]);
    await webhooks.deliveries(
      await webhooks.endpoint('http://a.example', { retrying_until: '2100-01-01' }),
      3,
    );
    const { claimed } = await claim();
    expect(claimed).toHaveLength(1);
    const under = { endpointIds: claimed.map((one) => one.endpoint_id), slots: [4], inFlight: [1] };
    expect((await claim(under)).claimed).toEqual([]);
  });

  it('more endpoints than a claim looks at, or takes: the next one goes on behind the last', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.push(await webhooks.endpoint('http://a.example'));
    ids.sort();
    for (const id of ids) await webhooks.deliveries(id, 10);
    const looked = await claim({ limitEndpoints: 2 });
    expect([new Set(looked.claimed.map(({ endpoint_id }) => endpoint_id)), looked.resume_after]).toEqual([
      new Set(ids.slice(0, 2)),
      ids[1],
    ]);
    const behind = await claim({ limitRows: 6, after: ids[1] ?? '' });
    expect(behind.claimed.map(({ endpoint_id }) => endpoint_id)).toEqual([
      ...Array.from({ length: 4 }, () => ids[2]),
      ...Array.from({ length: 2 }, () => ids[3]),
    ]);
  });

  it('two shards: each endpoint is of one of them', async () => {
    for (let index = 0; index < 12; index++)
      await webhooks.deliveries(await webhooks.endpoint('http://a.example'));
    const shards = [await claim({ shards: 2, shard: 0 })];
    await webhooks.database.rows(`update webhook_hand set delivery_ids = '{}', stamps = '{}'`);
    shards.push(await claim({ shards: 2, shard: 1 }));
    const ids = shards.flatMap(({ claimed }) => claimed.map(({ id }) => id));
    expect([ids.length, new Set(ids).size]).toEqual([12, 12]);
  });

  it('what is in a hand, the own or another’s: not claimed; what the own no longer names is', async () => {
    const id = await webhooks.endpoint('http://a.example');
    const [one = '', other = '', third = ''] = await webhooks.deliveries(id, 3);
    await webhooks.database.rows(
      'insert into webhook_hand (owner, delivery_ids, stamps) values ($1, $2, $3)',
      [randomUUID(), [other], [100]],
    );
    expect((await claim({ limitRows: 1 })).claimed.map((row) => row.id)).toEqual([one]);
    const held = { heldIds: [one], heldStamps: [100] };
    expect((await claim(held)).claimed.map((row) => row.id)).toEqual([third]);
    expect(await inHand()).toEqual({ delivery_ids: [one, third], stamps: [100, 100] });
    expect((await claim()).claimed).toEqual([]);
    expect((await claim()).claimed.map((row) => row.id)).toEqual([one, third]);
  });

  it('whose hand is gone: nothing', async () => {
    await webhooks.deliveries(await webhooks.endpoint('http://a.example'));
    expect((await claim({ owner: randomUUID() })).claimed).toEqual([]);
    expect((await claim()).claimed).toHaveLength(1);
  });
});

describe('recordOutcomes', () => {
  it('acknowledged: done, its attempt kept as it was', async () => {
    const id = await webhooks.endpoint('http://a.example', { failing_since: new Date() });
    await webhooks.deliveries(id);
    const one = await claimOne();
    expect(await record([outcomeOf(one)])).toMatchObject([
      { endpoint_id: id, recorded: 1, acknowledged: 1, retried: 0, gave_up: 0, paused_reason: null },
    ]);
    expect(await webhooks.rowsOf(id)).toMatchObject([
      { state: 'acknowledged', attempts: 1, owner: null, wait_s: null, is_finished: true, last_status: 200 },
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

  it('failed: waits by the database’s clock; the tenth gives up; who asked for it is kept with it', async () => {
    const id = await webhooks.endpoint('http://a.example');
    const caller = randomUUID();
    await webhooks.deliveries(id, 1, { triggered_by: caller });
    await webhooks.deliveries(id, 1, { attempts: 9 });
    const { claimed } = await claim();
    const failed = { outcome: 'refused' as const, status: 500, wait_ms: 3_600_000 };
    expect(await record(claimed.map((one) => outcomeOf(one, failed)))).toMatchObject([
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

  it('410, or five days of nothing but failures: the endpoint is paused; its row waits', async () => {
    const gone = await webhooks.endpoint('http://a.example');
    const long = { failing_since: '2020-01-01', last_failed_at: new Date() };
    const failing = await webhooks.endpoint('http://b.example', long);
    const well = await webhooks.endpoint('http://c.example', long);
    for (const id of [gone, failing, well, well]) await webhooks.deliveries(id);
    const { claimed } = await claim();
    const refused = (status: number) => ({ outcome: 'refused' as const, status });
    let ofWell = 0;
    const recorded = await record(
      claimed.map((one) => {
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
    expect((await claim()).claimed).toEqual([]);
  });

  it('of a deleted endpoint: an acknowledgement counts, a failure cancels', async () => {
    const id = await webhooks.endpoint('http://a.example');
    await webhooks.deliveries(id, 2);
    const { claimed } = await claim();
    await webhooks.database.rows('update webhook_endpoint set deleted_at = now()');
    const [one, two] = claimed;
    if (!one || !two) throw new Error('nothing was claimed');
    await record([outcomeOf(one), outcomeOf(two, { outcome: 'network', status: null })]);
    expect((await webhooks.rowsOf(id)).map(({ state }) => state).toSorted()).toEqual([
      'acknowledged',
      'cancelled',
    ]);
  });

  it('a second time, after a take-back, or of another series: nothing', async () => {
    const id = await webhooks.endpoint('http://a.example');
    await webhooks.deliveries(id);
    const one = await claimOne();
    expect(await record([outcomeOf(one)], randomUUID())).toEqual([]);
    expect(await record([outcomeOf({ ...one, series: 2 })])).toEqual([]);
    expect(await record([outcomeOf(one)])).toHaveLength(1);
    expect(await record([outcomeOf(one)])).toEqual([]);
    expect(await webhooks.attemptsOf(id)).toHaveLength(1);
  });

  it('worker_lost: an attempt like any other, but the row is due at once', async () => {
    const id = await webhooks.endpoint('http://a.example');
    await webhooks.deliveries(id);
    await record([outcomeOf(await claimOne(), { outcome: 'worker_lost', status: null })]);
    expect(await claimOne()).toMatchObject({ attempts: 1, series: 1 });
    expect(await webhooks.rowsOf(id)).toMatchObject([{ state: 'queued', attempts: 1 }]);
  });
});

describe('takeBackQueued', () => {
  const takeBack = () =>
    webhooks.worker.queryAsWorker<{ taken: number; gave_up: number }>(takeBackQueued(owner));

  it('rows of a dead loop: each an attempt more, due at once; the tenth gives up', async () => {
    const id = await webhooks.endpoint('http://a.example');
    await webhooks.deliveries(id);
    await webhooks.deliveries(id, 1, { attempts: 9 });
    await hold(randomUUID());
    expect(await takeBack()).toEqual([{ taken: 2, gave_up: 1 }]);
    expect(await webhooks.rowsOf(id)).toMatchObject([
      { state: 'queued', attempts: 1, owner: null, last_outcome: 'worker_lost', is_finished: false },
      { state: 'gave_up', attempts: 10, owner: null, is_finished: true, wait_s: null },
    ]);
    expect((await webhooks.attemptsOf(id)).map((row) => [row.attempt, row.outcome])).toEqual([
      [1, 'worker_lost'],
      [10, 'worker_lost'],
    ]);
    expect(await takeBack()).toEqual([{ taken: 0, gave_up: 0 }]);
  });

  it('its own hand, one of an owner that lives, an attemptDue’s rows: left alone', async () => {
    const id = await webhooks.endpoint('http://a.example');
    await webhooks.deliveries(id);
    await webhooks.deliveries(id, 1, { owner: randomUUID(), state: 'retried' });
    await claim();
    const alive = randomUUID();
    await hold(alive);
    await webhooks.database.rows('select pg_advisory_lock($1, hashtext($2))', [ownerLock, alive]);
    expect(await takeBack()).toEqual([{ taken: 0, gave_up: 0 }]);
    await webhooks.database.rows('select pg_advisory_unlock_all()');
    expect(await takeBack()).toEqual([{ taken: 1, gave_up: 0 }]);
    expect((await inHand())?.delivery_ids).toHaveLength(1);
  });

  it('what was recorded after its owner died, or is another attempt now: left as it is', async () => {
    const id = await webhooks.endpoint('http://a.example');
    await webhooks.deliveries(id);
    const one = await claimOne();
    await webhooks.database.rows('update webhook_hand set owner = $1', [randomUUID()]);
    await record([outcomeOf(one)]);
    expect(await takeBack()).toEqual([{ taken: 0, gave_up: 0 }]);
    expect(await webhooks.rowsOf(id)).toMatchObject([{ state: 'acknowledged', attempts: 1 }]);
  });
});

describe('attemptDue’s statements', () => {
  it('retried rows: claimed when due, taken back from an earlier one, released without an attempt', async () => {
    const id = await webhooks.endpoint('http://a.example');
    const [due = ''] = await webhooks.deliveries(id, 1, { state: 'retried', attempts: 1 });
    const [later = ''] = await webhooks.deliveries(id, 1, { state: 'retried', attempts: 1 });
    await webhooks.database.rows(
      `update webhook_delivery set next_attempt_at = now() + interval '1 hour' where id = $1`,
      [later],
    );
    const claimDue = (by: string) =>
      webhooks.worker.queryAsWorker<ClaimedDelivery>(claimRetried({ owner: by, endpointId: id, slots: 10 }));
    expect(await claimDue(randomUUID())).toMatchObject([{ id: due, attempts: 1 }]);
    expect(await webhooks.worker.queryAsWorker(takeBackRetried(owner, id))).toEqual([
      { taken: 1, gave_up: 0 },
    ]);
    expect(await claimDue(owner)).toMatchObject([{ id: due, attempts: 2 }]);
    await webhooks.worker.queryAsWorker(releaseDeliveries(owner, []));
    expect(await claimDue(owner)).toMatchObject([{ id: due, attempts: 2 }]);
  });
});
