import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { createQueue } from '../../../activities/webhooks/sender/queue';
import { createRule, windowCalls } from '../../../activities/webhooks/sender/rule';
import { toStatement } from '../../../db/platform/database';
import type { Database } from '../../../db/platform/database';
import { fetchDue } from '../../../db/webhooks/deliveries';
import type { ClaimedDelivery } from '../../../db/webhooks/deliveries';
import { pagesRead } from '../../db/platform/plan-cost';
import { until } from '../../harness/wait-for';
import { fetchOf } from '../../harness/webhooks/claim';
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

const open = (queryAsWorker: Database['queryAsWorker'] = webhooks.worker.queryAsWorker) => {
  const rule = createRule();
  const queue = createQueue({ queryAsWorker }, { owner, shard: 0, shards: 1 }, rule);
  const claim = async (held: readonly ClaimedDelivery[] = []) => {
    await queue.look(false, false);
    return (await queue.claim(windowCalls, () => [...held])).map(({ delivery }) => delivery);
  };
  return { rule, queue, claim };
};
const endpoint = () => webhooks.endpoint('http://a.example');
const finish = () =>
  webhooks.database.rows(
    `update webhook_delivery set state = 'cancelled', next_attempt_at = null, finished_at = now()`,
  );
/** A UUIDv7 whose time is many months ago. */
const oldId = '00000000-0000-7000-8000-000000000001';

describe('the queue of a sender', () => {
  it('finds an endpoint by a scan, and then fetches its deliveries without another scan', async () => {
    const { queue, claim } = open();
    const id = await endpoint();
    await webhooks.deliveries(id, 2);
    expect(await queue.claim(windowCalls, () => [])).toEqual([]);
    const first = await claim();
    expect(first).toHaveLength(1);
    expect(await queue.claim(windowCalls, () => first)).toHaveLength(1);
  });

  it('finds deliveries of earlier months', async () => {
    const { claim } = open();
    const id = await endpoint();
    await webhooks.deliveries(id, 1, { id: oldId });
    expect(await claim()).toMatchObject([{ id: oldId }]);
  });

  it('finds a delivery that became due before the watermark', async () => {
    const watermarks: unknown[] = [];
    const { claim } = open(async (query) => {
      const statement = toStatement(query);
      if (statement.name?.startsWith('fetch_due')) watermarks.push(statement.values?.[4]);
      await wait(20);
      return webhooks.worker.queryAsWorker(statement);
    });
    const id = await endpoint();
    const [now] = await webhooks.deliveries(id);
    expect(await claim()).toMatchObject([{ id: now }]);
    await finish();
    // A fetch with a watermark does not find a delivery that is due before the watermark. The queue must still find
    // it later.
    await webhooks.deliveries(id, 2);
    await until('a fetch with a watermark', claim, () => Number([watermarks.at(-1)].flat()[0]) > 0);
    await finish();
    await webhooks.deliveries(id, 1, { id: oldId, next_attempt_at: new Date(1_000) });
    await until('a claim of the late delivery', claim, (found) => found.some((one) => one.id === oldId));
  });

  it('keeps an endpoint that may have no more requests in flight, and claims its deliveries later', async () => {
    const { rule, queue, claim } = open();
    const id = await endpoint();
    await webhooks.deliveries(id, 2);
    const [first] = await claim();
    if (!first) throw new Error('nothing was claimed');
    const receiver = rule.find(id, first.merchant_id, null);
    const call = rule.begin(first, receiver);
    expect([await claim([first]), queue.isWaiting()]).toEqual([[], true]);
    rule.end(call, 'refused', 500);
    expect(await claim([first])).toHaveLength(1);
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

  it('for more than a minute is fetched once', async () => {
    const clock = setClock();
    try {
      const { queue, claim } = open();
      const ids = await webhooks.deliveries(await endpoint(), 2);
      await queue.look(true, true);
      for (let scan = 0; scan < 2; scan++) {
        clock.pass(61_000);
        await queue.look(true, true);
      }
      expect(await claim()).toMatchObject([{ id: ids[0] }]);
    } finally {
      clock.restore();
    }
  });

  it('gets one fetch without a watermark in each round', async () => {
    const clock = setClock();
    try {
      const watermarks = new Map<string, number>();
      const { queue, claim } = open((query) => {
        const { name, values = [] } = toStatement(query);
        const [, ids, , , marks] = values as [unknown, string[], unknown, unknown, number[]];
        if (name?.startsWith('fetch_due'))
          ids.forEach((id, index) => watermarks.set(id, Number(marks[index])));
        return webhooks.worker.queryAsWorker(query);
      });
      const [first, second] = [await endpoint(), await endpoint()];
      const claimOf = async (id: string) => {
        await webhooks.deliveries(id);
        await until('a claim', claim, (found) => found.some(({ endpoint_id }) => endpoint_id === id));
        await finish();
        const watermark = watermarks.get(id);
        await until(
          'the end of the queue',
          async () => (await claim(), queue.isWaiting()),
          (isWaiting) => !isWaiting,
        );
        return watermark;
      };
      for (const id of [first, second]) await claimOf(id);
      clock.pass(1_001);
      const ofRound = [await claimOf(first), await claimOf(second)];
      expect([...ofRound, Number(await claimOf(second)) > 0]).toEqual([0, 0, true]);
    } finally {
      clock.restore();
    }
  });

  it('is found on a later page of a scan', async () => {
    const { queue, claim } = open();
    const ids = await Promise.all(Array.from({ length: 257 }, () => endpoint()));
    await Promise.all(ids.map((id) => webhooks.deliveries(id)));
    await queue.look(false, false);
    expect(queue.isScanning()).toBe(true);
    await queue.look(false, false);
    expect(queue.isScanning()).toBe(false);
    await claim();
    expect(queue.isWaiting()).toBe(true);
  });
});

describe('a fetch with watermarks', () => {
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
          fetchDue(
            owner,
            ids.map((id) => fetchOf(id, 4, watermark)),
            [],
            'all',
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
