import type { Query } from '../../../db/platform/statement';
import { getDelivery, listDeliveries, lockDelivery } from '../../../db/webhooks/delivery-history';
import type { DeliveryFilter } from '../../../db/webhooks/vocabulary';
import {
  cancelDeliveries,
  getEndpoint,
  listEndpoints,
  lockEndpoint,
} from '../../../db/webhooks/webhook-endpoints';
import { expensiveTables } from '../platform/plan-cost';
import { createWorld, uuid } from '../platform/world';
import type { Cell, World } from '../platform/world';

/*
 * Tests how many rows the queries of the console's history read. Each merchant has a busy endpoint with 30,000
 * acknowledged deliveries, a paused one with 30,000 queued ones, and a rare one with the oldest 20 deliveries of each
 * state. The planner assumes that endpoint and state are independent, so a wrong plan would search the whole table
 * for queued deliveries of the busy endpoint.
 */

const size = 30_000;
const rare = uuid();
const paused = uuid();
const oldest: string[] = [];
let world: World;
let cell: Cell;

beforeAll(async () => {
  world = await createWorld();
  [cell] = world.cells;
  const { rows } = world.database;
  const deliver = (of: Cell, endpoint: string, state: string, count: number) =>
    rows<{ id: string }>(
      `insert into webhook_delivery (merchant_id, environment, endpoint_id, event, reason, state, last_outcome, last_status,
         next_attempt_at, finished_at)
       select $1, $2, $3, 'test', 'test', $4, case when $4 = 'acknowledged' then 'acknowledged' else 'refused' end,
         case when $4 = 'acknowledged' then 200 else 500 end, case when $4 in ('queued', 'retried') then now() end,
         case when $4 not in ('queued', 'retried') then now() end
       from generate_series(1, $5) returning id`,
      [of.merchantId, of.environment, endpoint, state, count],
    );
  await rows(
    `insert into webhook_endpoint (id, merchant_id, environment, url, events)
     select id, $2, $3, 'https://any.example', '{interview_result}' from unnest($1::uuid[]) as id`,
    [[rare, paused], cell.merchantId, cell.environment],
  );
  for (const state of ['queued', 'retried', 'acknowledged', 'gave_up', 'cancelled'])
    for (const { id } of await deliver(cell, rare, state, 20)) oldest.push(id);
  for (const each of world.cells) await deliver(each, each.taken.endpoint, 'acknowledged', size);
  await deliver(cell, paused, 'queued', size);
  await rows('vacuum analyze webhook_delivery');
});

const cost = (query: Query, most?: number) =>
  expensiveTables((work) => world.api.write(cell.user, work), query, most);
const page = (filter: DeliveryFilter) => listDeliveries(filter, { limit: 50, offset: 0, counted: 1_000 });

describe('listDeliveries', () => {
  it.each<[DeliveryFilter]>([
    [{ state: 'retried' }],
    [{ state: 'gave_up' }],
    [{ state: 'cancelled' }],
    [{ endpoint_id: rare, state: 'queued' }],
    [{ endpoint_id: rare, outcome: 'refused' }],
    [{ endpoint_id: rare }],
    [{ endpoint_id: rare, state: 'acknowledged' }],
    [{ endpoint_id: rare, event: 'test', status: 500 }],
  ])('reads only matching deliveries for %j', async (filter) => {
    expect(await cost(page(filter))).toEqual([]);
  });

  it('reads no more rows than it counts, without a filter or with one that most deliveries match', async () => {
    const filters: DeliveryFilter[] = [{}, { state: 'acknowledged' }, { endpoint_id: cell.taken.endpoint }];
    for (const filter of filters) expect([filter, await cost(page(filter), 1_100)]).toEqual([filter, []]);
  });

  it('reads no deliveries before the time of the filter', async () => {
    const since = new Date(Date.now() + 60_000).toISOString();
    expect(await cost(page({ since, event: 'test' }))).toEqual([]);
  });
});

describe('endpoints and single deliveries', () => {
  it('are found without reading others', async () => {
    const [id = ''] = oldest;
    const { endpoint: busy } = cell.taken;
    const queries: [string, Query][] = [
      ['getEndpoint rare', getEndpoint(rare, 50)],
      ['getEndpoint busy', getEndpoint(busy, 50)],
      ['getEndpoint paused', getEndpoint(paused, 50)],
      ['lockEndpoint', lockEndpoint(busy)],
      ['listEndpoints', listEndpoints(50, 0, 30)],
      ['cancelDeliveries', cancelDeliveries(busy, 50)],
      ['getDelivery', getDelivery(id)],
      ['lockDelivery', lockDelivery(id)],
    ];
    for (const [what, query] of queries) expect([what, await cost(query)]).toEqual([what, []]);
  });
});
