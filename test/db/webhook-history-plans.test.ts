import type { DeliveryFilter } from '../../api/contracts/webhook-fields';
import { getDelivery, listDeliveries, lockDelivery } from '../../db/delivery-history';
import type { Query } from '../../db/scope';
import { getEndpoint, listEndpoints, lockEndpoint } from '../../db/webhook-endpoints';
import { expensiveTables } from './plan-cost';
import { createWorld, uuid } from './world';
import type { Cell, World } from './world';

/*
 * What support looks at, among the deliveries of a busy endpoint: 60,000 acknowledged, and of a rare one 20 of each state,
 * the oldest. A merchant next door has as many.
 */

const size = 60_000;
const rare = uuid();
const oldest: string[] = [];
let world: World;
let cell: Cell;

beforeAll(async () => {
  world = await createWorld();
  [cell] = world.cells;
  const { rows } = world.database;
  const deliver = (of: Cell, endpoint: string, state: string, count: number) =>
    rows<{ id: string }>(
      `insert into webhook_delivery (merchant_id, environment, endpoint_id, event, reason, state, last_outcome, last_status)
       select $1, $2, $3, 'test', 'test', $4, case when $4 = 'acknowledged' then 'acknowledged' else 'refused' end,
         case when $4 = 'acknowledged' then 200 else 500 end
       from generate_series(1, $5) returning id`,
      [of.merchantId, of.environment, endpoint, state, count],
    );
  await rows(
    `insert into webhook_endpoint (id, merchant_id, environment, url, events)
     values ($1, $2, $3, 'https://any.example', '{interview_result}')`,
    [rare, cell.merchantId, cell.environment],
  );
  for (const state of ['queued', 'retried', 'acknowledged', 'gave_up', 'cancelled'])
    for (const { id } of await deliver(cell, rare, state, 20)) oldest.push(id);
  for (const each of world.cells) await deliver(each, each.taken.endpoint, 'acknowledged', size);
  await rows('vacuum analyze webhook_delivery');
});
afterAll(() => world.close());

const cost = (query: Query, most?: number) =>
  expensiveTables((work) => world.api.asCaller(cell.user, 'write', work), query, most);
const page = (filter: DeliveryFilter) => listDeliveries(filter, { limit: 50, offset: 0, counted: 1_000 });

describe('listDeliveries', () => {
  it.each<[DeliveryFilter]>([
    [{ state: 'queued' }],
    [{ state: 'retried' }],
    [{ state: 'gave_up' }],
    [{ state: 'cancelled' }],
    [{ outcome: 'refused' }],
    [{ status: 500 }],
    [{ endpoint_id: rare }],
    [{ endpoint_id: rare, state: 'acknowledged' }],
    [{ endpoint_id: rare, event: 'test', status: 500 }],
  ])('%j among many others: looks at what matches', async (filter) => {
    expect(await cost(page(filter))).toEqual([]);
  });

  it('no filter, or one that most match: looks at as many as it counts', async () => {
    for (const filter of [{}, { state: 'acknowledged' as const }, { endpoint_id: cell.taken.endpoint }])
      expect(await cost(page(filter), 1_100)).toEqual([]);
  });

  it('a time: looks at no older ones', async () => {
    const since = new Date(Date.now() + 60_000).toISOString();
    expect(await cost(page({ since, event: 'test' }))).toEqual([]);
  });
});

describe('endpoints and single deliveries', () => {
  it('are found without a look at others', async () => {
    const [id = ''] = oldest;
    for (const query of [
      getEndpoint(rare, 1_000),
      lockEndpoint(rare),
      listEndpoints(50, 0, 1_000),
      getDelivery(id),
      lockDelivery(id),
    ])
      expect([query.name, await cost(query)]).toEqual([query.name, []]);
  });
});
