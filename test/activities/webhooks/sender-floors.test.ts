import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { createClaims } from '../../../activities/webhooks/sender/claims';
import { createSlots } from '../../../activities/webhooks/sender/slots';
import { claimQueued } from '../../../db/webhooks/deliveries';
import type { ClaimLimits, ClaimRow } from '../../../db/webhooks/deliveries';
import { toStatement } from '../../../db/platform/database';
import type { Database } from '../../../db/platform/database';
import { pagesRead } from '../../db/platform/plan-cost';
import { wideClaim } from '../../harness/claim-shares';
import { until } from '../../harness/wait-for';
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

/** Of what the one before has claimed nothing is in hand any more. */
const claim = async (more: Partial<ClaimLimits>) => {
  await webhooks.database.rows(`update webhook_hand set delivery_ids = '{}', stamps = '{}'`);
  const rows = await webhooks.worker.queryAsWorker<ClaimRow>(claimQueued({ ...limits, ...more }));
  return { ids: rows.map(({ id }) => id), resume_after: rows[0]?.resume_after };
};
const endpoints = async (count: number) => {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await webhooks.endpoint('http://a.example'));
  return ids.toSorted();
};
const at = (seconds: number) => new Date(seconds * 1_000);

describe('a claim with floors', () => {
  it('known endpoints: what is due since the floor or later; all others: everything', async () => {
    const [one = '', known = '', other = '', idle = ''] = await endpoints(4);
    const [ofOne] = await webhooks.deliveries(one, 1, { next_attempt_at: at(50) });
    await webhooks.deliveries(known, 1, { next_attempt_at: at(99.999) });
    const [even] = await webhooks.deliveries(known, 1, { next_attempt_at: at(100) });
    const [later] = await webhooks.deliveries(known, 1, { next_attempt_at: at(101) });
    const [ofOther] = await webhooks.deliveries(other, 1, { next_attempt_at: at(50) });
    const floorsOf = { floorIds: [known, idle], floors: [100, 100] };
    expect((await claim(floorsOf)).ids).toEqual([ofOne, even, later, ofOther]);
    expect(await claim({ ...floorsOf, after: one, limitEndpoints: 1 })).toEqual({
      ids: [even, later],
      resume_after: known,
    });
    expect(await claim({ floorIds: [idle], floors: [100], after: other })).toEqual({
      ids: [null],
      resume_after: null,
    });
  });

  it('20,000 delivered while a snapshot is open: reads a small part of the pages', async () => {
    const { rows, adminUrl } = webhooks.database;
    const ids = await endpoints(5);
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
      const all = await pagesRead(webhooks.worker.writeAsWorker, claimQueued(limits));
      const floors = ids.map(() => 3_990);
      const few = await pagesRead(
        webhooks.worker.writeAsWorker,
        claimQueued({ ...limits, floorIds: ids, floors }),
      );
      expect(all).toBeGreaterThan(1_000);
      expect(few).toBeLessThan(300);
    } finally {
      await snapshot.end();
    }
  });
});

describe('claims of a database that is slow', () => {
  it('a delivery behind the floor, born long ago: found all the same', async () => {
    const isWithFloors: boolean[] = [];
    const queryAsWorker: Database['queryAsWorker'] = async (query) => {
      const statement = toStatement(query);
      if (statement.name === 'claim_queued')
        isWithFloors.push(JSON.stringify(statement.values?.at(-1)) !== '[]');
      await wait(20);
      return webhooks.worker.queryAsWorker(statement);
    };
    const claims = createClaims({ queryAsWorker }, { owner, shard: 0, shards: 1 });
    const claimed = async () =>
      (await claims.claim(100, 0, createSlots().free(false), [])).claimed.map(({ id }) => id);
    const [id = ''] = await endpoints(1);
    const [now] = await webhooks.deliveries(id);
    await until('a claim of the first delivery', claimed, (ids) => ids.includes(now ?? ''));
    await webhooks.database.rows(
      `update webhook_delivery set state = 'cancelled', next_attempt_at = null, finished_at = now()`,
    );
    await until('a claim with floors', claimed, () => isWithFloors.at(-1) === true);
    const [late] = await webhooks.deliveries(id, 1, {
      id: '00000000-0000-7000-8000-000000000001',
      next_attempt_at: at(1),
    });
    // Looks at everything are a tenth of the time: one that stood still is not followed soon by another.
    await until('a claim of the late delivery', claimed, (ids) => ids.includes(late ?? ''));
    expect(isWithFloors).toContain(true);
  });
});
