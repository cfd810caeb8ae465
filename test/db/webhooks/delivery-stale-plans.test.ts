import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { hotWorkerScope } from '../../../db/platform/caller';
import type { Statement } from '../../../db/platform/statement';
import { leaseDue, listQueuedEndpoints } from '../../../db/webhooks/deliveries';
import { reclaimDeliveries, recordOutcomes } from '../../../db/webhooks/delivery-outcomes';
import { listOverdueRetries, releaseDueRetries } from '../../../db/webhooks/retries';
import { noExchange } from '../../harness/webhooks/attempts';
import { allEndpoints, request } from '../../harness/webhooks/leasing';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { Webhooks } from '../../harness/webhooks/webhooks';

/*
 * Tests the sender's statements with outdated statistics. The test prepares the statements while the table is empty,
 * with generic plans as `queryAsWorker` does. It then adds 100,000 rows. The plans must still read few of the
 * thousands of pages.
 */

const rowsOfEach = 100_000;
/**
 * The maximum number of pages of 8 KB that a statement may read. Reading 60 rows takes some hundred pages, and
 * reading all rows more than 3,000.
 */
const fewPages = 1_000;
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
    scanRecent: listQueuedEndpoints({ ...allEndpoints, months: 'recent' }),
    scanOther: listQueuedEndpoints({ ...allEndpoints, months: 'other' }),
    lease: leaseDue(owner, requests, []),
    releaseDue: releaseDueRetries(busy, 20),
    overdue: listOverdueRetries('00000000-0000-0000-0000-000000000000', 100, 0),
    reclaim: reclaimDeliveries(owner),
    record: record([randomUUID()]),
  };
  planned = await prepareAll();
  for (const name of Object.keys(statements)) await explain(planned, name);
  const ids = await webhooks.deliveries(busy, rowsOfEach);
  statements['record'] = record(ids.filter((_, index) => index % 10_000 === 0));
  await webhooks.deliveries(busy, rowsOfEach, { state: 'retried', attempts: 1 });
  for (let index = 0; index < 20; index++)
    await webhooks.deliveries(await webhooks.endpoint('http://a.example'), 10);
});
afterAll(async () => {
  await planned.end();
  await webhooks.close();
});

const record = (ids: string[]) =>
  recordOutcomes(
    ids.map((id) => ({
      id,
      series: 1,
      attempts: 0,
      outcome: 'refused',
      wait_ms: 5_000,
      since_ms: 1,
      status: 500,
      ...noExchange,
    })),
  );

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
