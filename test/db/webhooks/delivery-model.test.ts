import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import type { Query } from '../../../db/platform/statement';
import { leaseDue } from '../../../db/webhooks/deliveries';
import type { LeasedDelivery } from '../../../db/webhooks/deliveries';
import { reclaimDeliveries, recordOutcomes } from '../../../db/webhooks/delivery-outcomes';
import { releaseDueRetries } from '../../../db/webhooks/retries';
import { cancelDeliveriesOfDeletedEndpoints } from '../../../db/webhooks/webhook-endpoints';
import { outcomeOf } from '../../harness/webhooks/attempts';
import { request } from '../../harness/webhooks/leasing';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { Webhooks } from '../../harness/webhooks/webhooks';

/*
 * Runs random operations on the deliveries of one endpoint, both in Postgres and in a model. Some operations come
 * from workers that have lost their lease. The states must be equal, a series has at most ten attempts, and every
 * attempt is recorded.
 */

/** The maximum number of deliveries that one lease takes. */
const leaseLimit = 3;

type Modelled = {
  state: string;
  series: number;
  attempts: number;
  kept: string[];
  isReleased: boolean;
  /** True while a sender that is alive leases the delivery. */
  isLeased: boolean;
};
type Call = { one: LeasedDelivery; owner: string };
type Model = {
  rows: Map<string, Modelled>;
  /** The webhook calls in flight, including those of workers that have lost their lease. */
  calls: Call[];
  isPaused: boolean;
  isDeleted: boolean;
};
type Real = { endpointId: string; owner: string };
type Step = (model: Model, real: Real) => Promise<void>;

let webhooks: Webhooks;
beforeAll(async () => {
  webhooks = await openWebhooks();
});

const rows = <Row>(text: string, values: unknown[]) => webhooks.database.rows<Row>(text, values);
const hot = <Row>(statement: Query<Row>) => webhooks.worker.queryAsWorker(statement);
const get = (model: Model, id: string): Modelled => {
  const row = model.rows.get(id);
  if (!row) throw new Error('a row that the model does not know');
  return row;
};

/** Creates the only endpoint. Deletes the deliveries of earlier runs, because claims take all queued deliveries. */
async function anEmptyEndpoint(): Promise<{ model: Model; real: Real }> {
  await rows('truncate webhook_delivery, webhook_attempt, webhook_endpoint, webhook_lease cascade', []);
  const real = {
    endpointId: await webhooks.endpoint('http://a.example'),
    owner: randomUUID(),
  };
  await rows('insert into webhook_lease (owner) values ($1)', [real.owner]);
  return { model: { rows: new Map(), calls: [], isPaused: false, isDeleted: false }, real };
}

/** Records a failed attempt in the model in the same way as the database records it. */
function fail(model: Model, row: Modelled, outcome: string): void {
  row.attempts += 1;
  row.kept.push(outcome);
  row.isLeased = false;
  if (outcome !== 'worker_lost') row.isReleased = false;
  if (model.isDeleted) row.state = 'cancelled';
  else if (row.attempts >= 10) row.state = 'gave_up';
  else if (outcome !== 'worker_lost') row.state = 'retried';
}

const born: Step = async (model, { endpointId }) => {
  if (model.isDeleted) return;
  const [id = ''] = await webhooks.deliveries(endpointId);
  model.rows.set(id, {
    state: 'queued',
    series: 1,
    attempts: 0,
    kept: [],
    isReleased: false,
    isLeased: false,
  });
};

const leaseFrom =
  (watermark_s: number): Step =>
  async (model, { endpointId, owner }) => {
    const held = model.calls.filter((call) => call.owner === owner).map(({ one }) => one);
    const leased = await hot(leaseDue(owner, [request(endpointId, leaseLimit, watermark_s)], held));
    const free = [...model.rows].filter(
      ([, { state, isReleased, isLeased }]) =>
        !isLeased && (state === 'queued' || (state === 'retried' && isReleased)),
    );
    const open = !model.isPaused && !model.isDeleted;
    expect(leased).toHaveLength(open ? Math.min(free.length, leaseLimit) : 0);
    for (const one of leased) {
      expect(free.map(([id]) => id)).toContain(one.id);
      get(model, one.id).isLeased = true;
      model.calls.push({ one, owner });
    }
    expect(leased.every((one) => one.endpoint_id === endpointId)).toBe(true);
  };
const lease = leaseFrom(0);

const release: Step = async (model, { endpointId }) => {
  const released = await webhooks.worker.writeAsWorker((trx) => trx.count(releaseDueRetries(endpointId, 2)));
  const due = [...model.rows].filter(([, { state, isReleased }]) => state === 'retried' && !isReleased);
  const count = model.isPaused || model.isDeleted ? 0 : Math.min(due.length, 2);
  expect(released).toBe(count);
  const found = await rows<{ id: string }>('select id from webhook_delivery where is_released', []);
  for (const { id } of found) get(model, id).isReleased = true;
};

/** Ends the call at this position of `calls`. If its sender has lost the lease, nothing is recorded. */
const end =
  (at: number, status: number): Step =>
  async (model) => {
    const [call] = model.calls.splice(at % Math.max(1, model.calls.length), 1);
    if (!call) return;
    const { one } = call;
    const outcome = status === 200 ? ('acknowledged' as const) : ('refused' as const);
    const recorded = await hot(recordOutcomes([outcomeOf(one, { outcome, status }, { wait_ms: 0 })]));
    const row = get(model, one.id);
    const isHis = row.series === one.series && row.attempts === one.attempts;
    expect(recorded).toHaveLength(isHis ? 1 : 0);
    if (!isHis) return;
    if (status === 200)
      Object.assign(row, {
        state: 'acknowledged',
        attempts: row.attempts + 1,
        isReleased: false,
        isLeased: false,
      });
    else fail(model, row, 'refused');
    if (status === 200) row.kept.push('acknowledged');
    if (status === 410) model.isPaused = true;
  };

/** A sender dies, and another sender reclaims its deliveries. The calls of the dead sender continue. */
const senderDies: Step = async (model, real) => {
  real.owner = randomUUID();
  await rows('insert into webhook_lease (owner) values ($1)', [real.owner]);
  await hot(reclaimDeliveries(real.owner));
  for (const row of model.rows.values()) if (row.isLeased) fail(model, row, 'worker_lost');
};

/** Starts a new series of attempts for an ended delivery, as `webhook-delivery-retry` does. */
const retryByHand =
  (at: number): Step =>
  async (model) => {
    const [id, row] = [...model.rows][at % Math.max(1, model.rows.size)] ?? [];
    if (!id || !row || model.isDeleted || row.isLeased) return;
    if (!['acknowledged', 'gave_up', 'cancelled'].includes(row.state)) return;
    await rows(
      `update webhook_delivery set state = 'queued', series = series + 1, attempts = 0, next_attempt_at = now(), finished_at = null
       where id = $1`,
      [id],
    );
    Object.assign(row, { state: 'queued', series: row.series + 1, attempts: 0 });
  };
const pause =
  (isPaused: boolean): Step =>
  async (model) => {
    await rows('update webhook_endpoint set paused_reason = $1, paused_at = $2', [
      isPaused ? 'by_hand' : null,
      isPaused ? new Date() : null,
    ]);
    model.isPaused = isPaused;
  };
/**
 * Deletes the endpoint. Its open deliveries are cancelled immediately. The attempts in flight are still recorded.
 */
const remove: Step = async (model) => {
  await rows('update webhook_endpoint set deleted_at = now()', []);
  model.isDeleted = true;
  await hot(cancelDeliveriesOfDeletedEndpoints);
  for (const row of model.rows.values())
    if (row.state === 'queued' || row.state === 'retried') row.state = 'cancelled';
};

const steps = fc.oneof(
  { weight: 5, arbitrary: fc.constant(['born', born] as const) },
  { weight: 3, arbitrary: fc.constant(['lease', lease] as const) },
  { weight: 3, arbitrary: fc.constant(['lease with a watermark', leaseFrom(1)] as const) },
  { weight: 4, arbitrary: fc.constant(['release', release] as const) },
  {
    weight: 10,
    arbitrary: fc
      .tuple(fc.nat(5), fc.constantFrom(200, 500, 500, 500, 410))
      .map(([at, status]) => [`end ${at} ${status}`, end(at, status)] as const),
  },
  { weight: 2, arbitrary: fc.constant(['sender dies', senderDies] as const) },
  { weight: 2, arbitrary: fc.nat(5).map((at) => [`retry ${at}`, retryByHand(at)] as const) },
  { weight: 1, arbitrary: fc.constant(['pause', pause(true)] as const) },
  { weight: 4, arbitrary: fc.constant(['resume', pause(false)] as const) },
  { weight: 1, arbitrary: fc.constant(['delete', remove] as const) },
);

async function compare(model: Model, { endpointId }: Real): Promise<void> {
  const found = await webhooks.rowsOf(endpointId);
  expect(found.map(({ id, state, series, attempts }) => ({ id, state, series, attempts }))).toEqual(
    [...model.rows].map(([id, { state, series, attempts }]) => ({ id, state, series, attempts })),
  );
  const kept = await webhooks.attemptsOf(endpointId);
  for (const [id, row] of model.rows)
    expect(kept.filter((one) => one.delivery_id === id).map(({ outcome }) => outcome)).toEqual(row.kept);
  expect(kept.every(({ attempt }) => attempt <= 10)).toBe(true);
}

describe('deliveries', () => {
  it('are in the state of the model after each of any steps in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 60 }), async (list) => {
        const { model, real } = await anEmptyEndpoint();
        for (const [, step] of list) {
          await step(model, real);
          await compare(model, real);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('give up after nine failures and a lost worker, and have ten more attempts after a retry', async () => {
    const { model, real } = await anEmptyEndpoint();
    await born(model, real);
    for (let series = 1; series <= 2; series++) {
      for (let attempt = 1; attempt <= 9; attempt++) {
        await release(model, real);
        await lease(model, real);
        await end(0, 500)(model, real);
      }
      await release(model, real);
      await lease(model, real);
      await senderDies(model, real);
      await compare(model, real);
      expect([...model.rows.values()]).toMatchObject([{ state: 'gave_up', series, attempts: 10 }]);
      model.calls.length = 0;
      await retryByHand(0)(model, real);
    }
  });
});
