import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { createCalls } from '../../../activities/webhooks/sender/calls';
import { createDueEndpoints } from '../../../activities/webhooks/sender/due-endpoints';
import { polling } from '../../../activities/webhooks/sender/limits';
import { toStatement } from '../../../db/platform/database';
import type { Database } from '../../../db/platform/database';
import { leaseDue } from '../../../db/webhooks/deliveries';
import type { LeasedDelivery } from '../../../db/webhooks/deliveries';
import { pagesRead } from '../../db/platform/plan-cost';
import { until } from '../../harness/wait-for';
import { request } from '../../harness/webhooks/leasing';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { Webhooks } from '../../harness/webhooks/webhooks';

const owner = randomUUID();
let webhooks: Webhooks;
beforeAll(async () => {
  webhooks = await openWebhooks();
});
beforeEach(async () => {
  await webhooks.forget();
  await webhooks.database.rows('insert into webhook_lease (owner) values ($1)', [owner]);
});

const open = (queryAsWorker: Database['queryAsWorker'] = webhooks.worker.queryAsWorker) => {
  const calls = createCalls();
  const due = createDueEndpoints({ queryAsWorker }, { owner, shard: 0, shards: 1 }, calls);
  const lease = async (held: readonly LeasedDelivery[] = []) => {
    await due.scan(false);
    return due.lease(0, () => [...held]);
  };
  return { calls, due, lease };
};
const endpoint = () => webhooks.endpoint('http://a.example');
const finish = () =>
  webhooks.database.rows(
    `update webhook_delivery set state = 'cancelled', next_attempt_at = null, finished_at = now()`,
  );
/** A UUIDv7 whose time is many months ago. */
const oldId = '00000000-0000-7000-8000-000000000001';

describe('the due endpoints of a sender', () => {
  it('finds an endpoint by a scan, and then leases its deliveries without another scan', async () => {
    const { due, lease } = open();
    const id = await endpoint();
    await webhooks.deliveries(id, 2);
    expect(await due.lease(0, () => [])).toEqual([]);
    const first = await lease();
    expect(first).toHaveLength(1);
    expect(await due.lease(0, () => first)).toHaveLength(1);
  });

  it('finds deliveries of earlier months', async () => {
    const { lease } = open();
    const id = await endpoint();
    await webhooks.deliveries(id, 1, { id: oldId });
    expect(await lease()).toMatchObject([{ id: oldId }]);
  });

  it('finds a delivery that became due before the watermark', async () => {
    const watermarks: unknown[] = [];
    const { lease } = open(async (query) => {
      const statement = toStatement(query);
      if (statement.name?.startsWith('lease_due')) watermarks.push(statement.values?.[3]);
      await wait(20);
      return webhooks.worker.queryAsWorker(statement);
    });
    const id = await endpoint();
    const [now] = await webhooks.deliveries(id);
    expect(await lease()).toMatchObject([{ id: now }]);
    await finish();
    // A lease with a watermark does not find a delivery that is due before the watermark. A later lease must find
    // it.
    await webhooks.deliveries(id, 2);
    await until('a lease with a watermark', lease, () => Number([watermarks.at(-1)].flat()[0]) > 0);
    await finish();
    await webhooks.deliveries(id, 1, { id: oldId, next_attempt_at: new Date(1_000) });
    await until('a lease of the late delivery', lease, (found) => found.some((one) => one.id === oldId));
  });

  it('keeps an endpoint that may have no more requests in flight, and leases its deliveries later', async () => {
    const { calls, due, lease } = open();
    const id = await endpoint();
    await webhooks.deliveries(id, 2);
    const [first] = await lease();
    if (!first) throw new Error('nothing was leased');
    const call = calls.begin(first);
    expect(await lease([first])).toEqual([]);
    calls.end(call, 'refused', 500);
    expect(await due.lease(0, () => [first])).toHaveLength(1);
  });
});

describe('an endpoint that waits', () => {
  /** Replaces the clock of the process by a clock that the test advances. */
  const setClock = () => {
    const real = performance.now.bind(performance);
    let passedMs = 0;
    const spy = jest.spyOn(performance, 'now').mockImplementation(() => real() + passedMs);
    return { pass: (ms: number) => void (passedMs += ms), restore: () => spy.mockRestore() };
  };

  it('for minutes is served once', async () => {
    const clock = setClock();
    try {
      const { due, lease } = open();
      const ids = await webhooks.deliveries(await endpoint(), 2);
      await due.scan(true);
      for (let scan = 0; scan < 2; scan++) {
        clock.pass(121_000);
        await due.scan(true);
      }
      expect(await lease()).toMatchObject([{ id: ids[0] }]);
    } finally {
      clock.restore();
    }
  });

  it('gets one lease without a watermark per second', async () => {
    const clock = setClock();
    try {
      const watermarks: number[] = [];
      const { due, lease } = open((query) => {
        const { name, values = [] } = toStatement(query);
        const [, , , marks] = values as [unknown, unknown, unknown, number[]];
        if (name?.startsWith('lease_due')) watermarks.push(...marks);
        return webhooks.worker.queryAsWorker(query);
      });
      await webhooks.deliveries(await endpoint(), 10);
      const leaseAfter = async (ms: number) => {
        clock.pass(ms);
        await due.scan(true);
        await lease();
        return Number(watermarks.at(-1)) > 0;
      };
      expect([await leaseAfter(0), await leaseAfter(500), await leaseAfter(501)]).toEqual([
        false,
        true,
        false,
      ]);
      expect(await leaseAfter(100)).toBe(true);
    } finally {
      clock.restore();
    }
  });

  it('is found on a later page of a scan', async () => {
    const { due, lease } = open();
    await webhooks.database.rows(
      `with endpoint as (
         insert into webhook_endpoint (merchant_id, environment, url, events)
         select merchant_id, 'production', 'http://a.example', '{interview_failed}'
         from interview_result, generate_series(1, $2) where id = $1
         returning id, merchant_id, environment
       )
       insert into webhook_delivery (merchant_id, environment, endpoint_id, event, reason)
       select merchant_id, environment, id, 'test', 'test' from endpoint`,
      [webhooks.resultId, polling.pageEndpoints + 1],
    );
    const served = new Set<string>();
    const serve = async () => {
      for (const { endpoint_id } of await lease()) served.add(endpoint_id);
    };
    for (let page = 0; page < 2; page++) await due.scan(true);
    await until(
      'all endpoints',
      async () => (await serve(), served.size),
      (size) => size === polling.pageEndpoints + 1,
    );
  });
});

describe('a lease with watermarks', () => {
  it('reads few pages of 20,000 deliveries that were delivered while a snapshot is open', async () => {
    const { rows, adminUrl } = webhooks.database;
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.push(await endpoint());
    for (const id of ids) await webhooks.deliveries(id, 4_000);
    await rows(
      `update webhook_delivery d set next_attempt_at = to_timestamp(n) from (
         select id, row_number() over (partition by endpoint_id order by id) as n from webhook_delivery
       ) one where one.id = d.id`,
    );
    await rows('vacuum analyze webhook_delivery');
    const snapshot = new Client({ connectionString: adminUrl });
    await snapshot.connect();
    try {
      await snapshot.query('begin isolation level repeatable read');
      await snapshot.query('select count(*) from webhook_delivery');
      await rows(
        `update webhook_delivery set state = 'acknowledged', attempts = 1, finished_at = now(), next_attempt_at = null
         where next_attempt_at < to_timestamp(3991)`,
      );
      const read = (watermark: number) =>
        pagesRead(
          webhooks.worker.writeAsWorker,
          leaseDue(
            owner,
            ids.map((id) => request(id, 4, watermark)),
            [],
          ),
        );
      const all = await read(0);
      expect(all).toBeGreaterThan(500);
      expect(await read(3_990)).toBeLessThan(all / 3);
    } finally {
      await snapshot.end();
    }
  });
});
