import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { hotWorkerScope } from '../../../db/platform/caller';
import type { Transaction } from '../../../db/platform/database';
import type { Query, Statement } from '../../../db/platform/statement';
import { leaseDue, listQueuedEndpoints } from '../../../db/webhooks/deliveries';
import { getDelivery, listDeliveries, lockDelivery } from '../../../db/webhooks/delivery-history';
import { reclaimDeliveries, recordOutcomes } from '../../../db/webhooks/delivery-outcomes';
import { countReplayable, lockReplay, requeuePage } from '../../../db/webhooks/replays';
import type { Replay } from '../../../db/webhooks/replays';
import { listDueRetries, makeRetriesDue, releaseDueRetries } from '../../../db/webhooks/retries';
import type { DeliveryFilter } from '../../../db/webhooks/vocabulary';
import {
  cancelDeliveries,
  getEndpoint,
  listEndpoints,
  lockEndpoint,
} from '../../../db/webhooks/webhook-endpoints';
import { listOwners, listUnmailedPauses } from '../../../db/webhooks/webhook-pauses';
import { outcomeOf } from '../../harness/webhooks/attempts';
import { allEndpoints, request } from '../../harness/webhooks/leasing';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { Webhooks } from '../../harness/webhooks/webhooks';
import { expensiveTables } from '../platform/plan-cost';
import { createWorld, uuid } from '../platform/world';
import type { Cell, World } from '../platform/world';

describe('delivery stale plans', () => {
  /*
   * Tests the sender's statements with outdated statistics. The test prepares the statements while the table is empty,
   * with generic plans as `queryAsWorker` does. It then adds 100,000 rows. The plans must still read few of the
   * thousands of pages.
   */

  const rowsOfEach = 50_000;
  /**
   * The maximum number of pages of 8 KB that a statement may read. Reading 60 rows takes some hundred pages, and
   * reading all rows more than 2,000.
   */
  const fewPages = 700;
  const owner = randomUUID();
  let webhooks: Webhooks;
  let statements: Record<string, Statement>;
  let planned: Client;

  beforeAll(async () => {
    webhooks = await openWebhooks();
    const { rows } = webhooks.database;
    for (const { name } of await rows<{ name: string }>(
      `select relname as name from pg_class where relispartition and relkind = 'r' and relname like 'webhook\\_%'`,
    ))
      await rows(`alter table ${name} set (autovacuum_enabled = false)`);
    await rows('insert into webhook_lease (owner) values ($1)', [owner]);
    await rows('analyze webhook_delivery, webhook_attempt, webhook_lease');
    const busy = await webhooks.endpoint('http://a.example');
    const requests = [request(busy, 50)];
    statements = {
      scan: listQueuedEndpoints(allEndpoints),
      lease: leaseDue(owner, requests, []),
      releaseDue: releaseDueRetries(busy, 20),
      overdue: listDueRetries('00000000-0000-0000-0000-000000000000', 100),
      reclaim: reclaimDeliveries(owner),
      record: record([randomUUID()]),
    };
    planned = await prepareAll();
    for (const name of Object.keys(statements)) await explain(planned, name);
    await rows('set session_replication_role = replica');
    const ids = await webhooks.deliveries(busy, rowsOfEach);
    statements['record'] = record(ids.filter((_, index) => index % 5_000 === 0));
    await webhooks.deliveries(busy, rowsOfEach, { state: 'retried', attempts: 1 });
    for (let index = 0; index < 20; index++)
      await webhooks.deliveries(await webhooks.endpoint('http://a.example'), 10);
  });
  afterAll(async () => {
    await planned.end();
  });

  const record = (ids: string[]) =>
    recordOutcomes(ids.map((id) => outcomeOf({ id }, { outcome: 'refused', status: 500 })));

  /** Opens a connection of the worker on which all statements are prepared. */
  async function prepareAll(): Promise<Client> {
    const client = new Client({ connectionString: webhooks.database.workerDirectUrl });
    await client.connect();
    for (const [name, { text }] of Object.entries(statements))
      await client.query(`prepare "${name}" as ${text}`);
    return client;
  }

  type Node = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };

  /** Returns how many pages the statement reads, and rolls back its changes. */
  async function explain(client: Client, name: string): Promise<number> {
    const values = (statements[name]?.values ?? []).map((value) =>
      value === null ? 'null' : client.escapeLiteral(toText(value)),
    );
    await client.query('begin');
    try {
      await client.query(hotWorkerScope);
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
        `explain (analyze, buffers, format json) execute "${name}"(${values.join(', ')})`,
      );
      const plan = rows[0]?.['QUERY PLAN'][0].Plan;
      if (!plan) throw new Error('there is no plan');
      return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    } finally {
      await client.query('rollback');
    }
  }

  const toText = (value: unknown): string =>
    Array.isArray(value)
      ? `{${value.map((each) => (each === null ? 'NULL' : String(each))).join(',')}}`
      : String(value);

  describe('100,000 rows of an endpoint without new statistics', () => {
    it('are so many that reading them all would be noticed', async () => {
      const [size] = await webhooks.database.rows<{ pages: number; known: number }>(
        `select (sum(pg_relation_size(relid)) / 8192)::int as pages, sum(greatest(reltuples, 0))::int as known
       from pg_partition_tree('webhook_delivery') join pg_class on oid = relid`,
      );
      expect(size?.pages).toBeGreaterThan(3 * fewPages);
      expect(size?.known).toBe(0);
    });

    it('are read in few pages by a statement that was planned when there were none', async () => {
      for (const name of Object.keys(statements)) {
        const pages = await explain(planned, name);
        expect([name, pages < fewPages ? 'few' : pages]).toEqual([name, 'few']);
      }
    });

    it('are read in few pages by a statement that is planned now', async () => {
      const client = await prepareAll();
      try {
        for (const name of Object.keys(statements)) {
          const pages = await explain(client, name);
          expect([name, pages < fewPages ? 'few' : pages]).toEqual([name, 'few']);
        }
      } finally {
        await client.end();
      }
    });
  });
});

describe('webhook history plans', () => {
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
    // A vacuum marks rows as visible to all only if their commit has been flushed to disk.
    await rows('set synchronous_commit = on; set session_replication_role = replica');
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
        ['listEndpoints', listEndpoints(50, 0, 30, null)],
        ['cancelDeliveries', cancelDeliveries(busy, 50)],
        ['getDelivery', getDelivery(id)],
        ['lockDelivery', lockDelivery(id)],
      ];
      for (const [what, query] of queries) expect([what, await cost(query)]).toEqual([what, []]);
    });
  });
});

describe('webhook workflow plans', () => {
  /*
   * Tests the plans of the webhook workflows' statements on tables that are large enough for a wrong plan to be chosen:
   * an endpoint with 25,000 waiting deliveries, 2,000 endpoints with one each, 2,000 paused ones, and 25,000
   * acknowledged deliveries.
   */

  const size = 25_000;
  let world: World;
  let cell: Cell;
  let replay: Replay;
  const noId = '00000000-0000-0000-0000-000000000000';

  beforeAll(async () => {
    world = await createWorld();
    [cell] = world.cells;
    const { rows } = world.database;
    const { merchantId, environment, taken } = cell;
    await rows('set session_replication_role = replica');
    await rows(
      `insert into webhook_delivery (merchant_id, environment, endpoint_id, event, reason, state, attempts, next_attempt_at, finished_at)
     select $1, $2, $3, 'test', 'test', state, 1, case state when 'retried' then now() + n * interval '1 second' end,
       case state when 'acknowledged' then now() end
     from unnest(array['retried', 'acknowledged']) state, generate_series(1, ${size}) n`,
      [merchantId, environment, taken.endpoint],
    );
    await rows(
      `with endpoint as (
       insert into webhook_endpoint (merchant_id, environment, url, events, paused_reason, paused_at, paused_mailed_at)
       select $1, $2, 'https://a.example', '{interview_result}', reason, case when reason is not null then now() end,
         case when reason is not null then now() end
       from unnest(array[null, 'gone']) reason, generate_series(1, 2000) returning id, paused_reason
     )
     insert into webhook_delivery (merchant_id, environment, endpoint_id, event, reason, state, next_attempt_at)
     select $1, $2, id, 'test', 'test', 'retried', now() - interval '1 hour' from endpoint where paused_reason is null`,
      [merchantId, environment],
    );
    await rows(
      `insert into profile (merchant_id, role, email, email_key, name, activated_at)
     select $1, case when n % 2000 = 0 then 'merchant_owner' else 'candidate' end, n || '@any.example', n || '@any.example',
       'Any', now() from generate_series(1, 20000) n`,
      [merchantId],
    );
    await rows(`update webhook_replay set created_at = now() + interval '1 minute'`);
    await rows('set session_replication_role = origin');
    await rows('analyze');
    const [found] = await world.worker.writeAsWorker(async (trx) => {
      const [{ id } = { id: '' }] = await trx.rows<{ id: string }>({
        text: 'select id from webhook_replay where merchant_id = $1 and environment = $2',
        values: [merchantId, environment],
      });
      return trx.rows<Replay>(lockReplay(id));
    });
    if (!found) throw new Error('there is no replay');
    replay = found;
  });

  const door = (work: (trx: Transaction) => Promise<never>) => world.worker.writeAsWorker(work);
  const hot: Record<string, [() => Query, number?]> = {
    'scan for due retries': [() => listDueRetries(noId, 50), 60],
    'a release of retries': [() => releaseDueRetries(cell.taken.endpoint, 100), 100],
    'pauses without a mail': [() => listUnmailedPauses(100)],
    'retrying one delivery': [
      () => makeRetriesDue(cell.taken.endpoint, uuid(), new Date().toISOString(), 100),
    ],
    'retrying all': [() => makeRetriesDue(cell.taken.endpoint, null, new Date().toISOString(), 100), 300],
    'owners of a merchant': [() => listOwners(cell.merchantId)],
    'a page of a replay': [() => requeuePage({ ...replay, filter: { state: 'retried' } }, 100), 20_000],
    'a page of a replay that nothing matches': [
      () => requeuePage({ ...replay, filter: { status: 418 } }, 100),
      20_000,
    ],
  };

  describe('plans of the webhook workflows', () => {
    it('are tested by a query that distinguishes a full scan from a lookup', async () => {
      expect(
        await expensiveTables(door, { text: `select from webhook_delivery where reason = 'x'` }),
      ).toHaveLength(1);
    });

    it.each(Object.entries(hot))('read no more rows than needed: %s', async (_name, [query, most]) => {
      expect(await expensiveTables(door, query(), most)).toEqual([]);
    });

    it('count the deliveries of a replay by endpoint and state with the index for support', async () => {
      const filter = { endpoint_id: cell.free.endpoint, state: 'gave_up' as const };
      const read = (work: (trx: Transaction) => Promise<never>) => world.api.read(cell.user, work);
      expect(await expensiveTables(read, countReplayable(filter))).toEqual([]);
    });
  });
});
