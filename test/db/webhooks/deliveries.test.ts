import { randomUUID } from 'node:crypto';
import { leaseDue, stampOf } from '../../../db/webhooks/deliveries';
import type { LeasedDelivery, LeaseRequest } from '../../../db/webhooks/deliveries';
import { findOpen, leaseAll, request } from '../../harness/webhooks/leasing';
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

const leaseOfAll = (limit?: number, held?: readonly LeasedDelivery[]) =>
  leaseAll(webhooks, owner, { ...(limit ? { limit } : {}), ...(held ? { held } : {}) });
const lease = (
  requests: readonly LeaseRequest[],
  { held = [], by = owner }: { held?: LeasedDelivery[]; by?: string } = {},
) => webhooks.worker.queryAsWorker(leaseDue(by, requests, held));
const leaseOf = async (by = owner) => {
  const [lease] = await webhooks.database.rows<{ delivery_ids: string[]; stamps: number[] }>(
    'select delivery_ids, stamps from webhook_lease where owner = $1',
    [by],
  );
  return lease;
};

const endpoints = async (count: number) => {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await webhooks.endpoint('http://a.example'));
  return ids.toSorted();
};
const counts = (ids: readonly string[], rows: readonly LeasedDelivery[]) =>
  ids.map((id) => rows.filter(({ endpoint_id }) => endpoint_id === id).length);

describe('leaseDue', () => {
  it('leases the next deliveries of each chosen endpoint, oldest first, with the payload', async () => {
    const [a = '', b = '', c = ''] = await endpoints(3);
    const ofA = await webhooks.deliveries(a, 6);
    await webhooks.deliveries(b, 6);
    await webhooks.deliveries(c, 6);
    const leased = await lease([request(a, 4), request(c, 5)]);
    expect(counts([a, b, c], leased)).toEqual([4, 0, 5]);
    expect(leased.filter(({ endpoint_id }) => endpoint_id === a).map(({ id }) => id)).toEqual(
      ofA.slice(0, 4),
    );
    expect(leased[0]).toMatchObject({ event: 'interview_result', series: 1, attempts: 0, version: 1 });
    expect(JSON.parse(leased[0]?.payload ?? '')).toMatchObject({
      id: webhooks.resultId,
      reason: 'score',
      score: 7.5,
    });
    expect(await leaseOf()).toEqual({
      delivery_ids: leased.map(({ id }) => id),
      stamps: leased.map(stampOf),
    });
  });

  it('takes nothing of endpoints that are paused, turned off or deleted', async () => {
    const now = new Date();
    const closed = [{ paused_reason: 'by_hand', paused_at: now }, { enabled: false }, { deleted_at: now }];
    const ids: string[] = [];
    for (const more of closed) ids.push(await webhooks.endpoint('http://a.example', more));
    for (const id of ids) await webhooks.deliveries(id, 2);
    expect([await findOpen(webhooks), await lease(ids.map((id) => request(id)))]).toEqual([[], []]);
  });

  it('takes released retries like first attempts, oldest first, and no other retries', async () => {
    const [id = ''] = await endpoints(1);
    const at = (seconds: number) => ({ next_attempt_at: new Date(seconds * 1_000) });
    await webhooks.deliveries(id, 1, { state: 'retried', attempts: 1, ...at(1) });
    const [second] = await webhooks.deliveries(id, 1, at(3));
    const [first] = await webhooks.deliveries(id, 1, {
      state: 'retried',
      attempts: 4,
      is_released: true,
      ...at(2),
    });
    expect(await findOpen(webhooks)).toEqual([id]);
    expect(await lease([request(id)])).toMatchObject([
      { id: first, attempts: 4 },
      { id: second, attempts: 0 },
    ]);
  });

  it('takes deliveries that are due at the watermark or later', async () => {
    const [id = ''] = await endpoints(1);
    const at = (seconds: number) => ({ next_attempt_at: new Date(seconds * 1_000) });
    await webhooks.deliveries(id, 1, at(99.999));
    const [even] = await webhooks.deliveries(id, 1, at(100));
    const [later] = await webhooks.deliveries(id, 1, at(101));
    expect((await lease([request(id, 4, 100)])).map((row) => row.id)).toEqual([even, later]);
  });

  it('skips leased deliveries, and releases those that their owner no longer names', async () => {
    const [id = ''] = await endpoints(1);
    const [one = '', other = '', third = ''] = await webhooks.deliveries(id, 3);
    await webhooks.database.rows(
      'insert into webhook_lease (owner, delivery_ids, stamps) values ($1, $2, $3)',
      [randomUUID(), [other], [100]],
    );
    const held = await leaseOfAll(1);
    expect(held.map((row) => row.id)).toEqual([one]);
    expect((await leaseOfAll(4, held)).map((row) => row.id)).toEqual([third]);
    expect(await leaseOf()).toEqual({ delivery_ids: [one, third], stamps: [100, 100] });
    expect((await leaseOfAll()).map((row) => row.id)).toEqual([one, third]);
  });

  it('takes nothing for an owner that has lost its lease', async () => {
    const [id = ''] = await endpoints(1);
    await webhooks.deliveries(id);
    expect(await lease([request(id)], { by: randomUUID() })).toEqual([]);
    expect(await leaseOfAll()).toHaveLength(1);
  });
});
