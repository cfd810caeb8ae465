import { listQueuedEndpoints } from '../../../db/webhooks/deliveries';
import { allEndpoints, findOpen } from '../../harness/webhooks/leasing';
import { ours } from '../../harness/webhooks/webhook-rows';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { Webhooks } from '../../harness/webhooks/webhooks';
import { pagesRead } from '../platform/plan-cost';

let webhooks: Webhooks;
beforeAll(async () => {
  webhooks = await openWebhooks();
});
afterAll(() => webhooks.close());
beforeEach(() => webhooks.forget());

const endpoints = async (count: number) => {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await webhooks.endpoint('http://a.example'));
  return ids.toSorted();
};

describe('listQueuedEndpoints', () => {
  it('finds open endpoints with queued deliveries, page by page', async () => {
    const ids = await endpoints(5);
    for (const id of ids) await webhooks.deliveries(id, 3);
    await endpoints(2);
    expect(await findOpen(webhooks)).toEqual(ids);
    expect(await findOpen(webhooks, { limitEndpoints: 2 })).toEqual(ids.slice(0, 2));
    expect(await findOpen(webhooks, { limitEndpoints: 2, after: ids[1] ?? '' })).toEqual(ids.slice(2, 4));
  });

  it('finds each endpoint in one of two shards', async () => {
    const ids = await endpoints(12);
    for (const id of ids) await webhooks.deliveries(id);
    const shards = [0, 1].map((shard) => findOpen(webhooks, { shards: 2, shard }));
    const found = (await Promise.all(shards)).flat();
    expect(found.toSorted()).toEqual(ids);
  });

  it('distinguishes the recent months from the others', async () => {
    const [recent = '', old = '', both = ''] = await endpoints(3);
    const id = '00000000-0000-7000-8000-00000000000';
    await webhooks.deliveries(recent);
    await webhooks.deliveries(old, 1, { id: `${id}1` });
    await webhooks.deliveries(both);
    await webhooks.deliveries(both, 1, { id: `${id}2` });
    expect(await findOpen(webhooks, { months: 'recent' })).toEqual([recent, both]);
    expect(await findOpen(webhooks, { months: 'other' })).toEqual([old, both]);
  });

  it('reads little of 5,000 closed endpoints, and finds open ones between and after them', async () => {
    const { rows } = webhooks.database;
    const closed = await rows<{ id: string }>(
      `insert into webhook_endpoint (merchant_id, environment, url, events, paused_reason, paused_at)
       select $1, 'production', 'http://a.example', '{interview_failed}', 'by_hand', now() from generate_series(1, 5000)
       returning id`,
      [ours.merchant_id],
    );
    await rows(
      `insert into webhook_delivery (merchant_id, environment, endpoint_id, event, reason)
       select merchant_id, environment, e.id, 'test', 'test' from webhook_endpoint e, generate_series(1, 4)`,
    );
    const [{ id: last } = { id: '' }] = await rows<{ id: string }>(
      `insert into webhook_endpoint (merchant_id, environment, url, events)
       values ($1, 'production', 'http://a.example', '{interview_failed}') returning id`,
      [ours.merchant_id],
    );
    await webhooks.deliveries(last, 2);
    await rows('vacuum analyze webhook_endpoint, webhook_delivery');
    expect(await findOpen(webhooks, { limitEndpoints: 3 })).toEqual([last]);
    const scan = listQueuedEndpoints({ ...allEndpoints, limitEndpoints: 256 });
    expect(await pagesRead(webhooks.worker.writeAsWorker, scan)).toBeLessThan(300);
    const between = closed[2_500]?.id ?? '';
    await rows('update webhook_endpoint set paused_reason = null, paused_at = null where id = $1', [between]);
    expect(await findOpen(webhooks, { limitEndpoints: 5 })).toEqual([between, last]);
  });
});
