import { randomUUID } from 'node:crypto';
import { endpointKind } from '../../../db/webhooks/claim-shares';
import { claimQueued } from '../../../db/webhooks/deliveries';
import type { ClaimLimits, ClaimRow } from '../../../db/webhooks/deliveries';
import { merchants } from '../../../local/seed/accounts';
import { wideClaim } from '../../harness/claim-shares';
import { ours, putResult } from '../../harness/webhook-rows';
import { openWebhooks } from '../../harness/webhooks';
import type { Webhooks } from '../../harness/webhooks';
import { pagesRead } from '../platform/plan-cost';

const owner = randomUUID();
const limits: ClaimLimits = {
  ...wideClaim,
  owner,
  limitBytes: 2 ** 24,
  takesOneLarge: true,
};
const main = ours.merchant_id;
const other = merchants.other.id;

let webhooks: Webhooks;
beforeAll(async () => {
  webhooks = await openWebhooks();
});
afterAll(() => webhooks.close());
beforeEach(async () => {
  await webhooks.forget();
  await webhooks.database.rows('insert into webhook_hand (owner) values ($1)', [owner]);
});

/** Endpoints with five deliveries each, in the order of their ids. */
const endpoints = async (count: number, merchant_id = main, delivery: Record<string, unknown> = {}) => {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await webhooks.endpoint('http://a.example', { merchant_id }));
  for (const id of ids) await webhooks.deliveries(id, 5, delivery);
  return ids.toSorted();
};
/** How many of each endpoint, in their order. */
const claim = async (ids: readonly string[], more: Partial<ClaimLimits>) => {
  await webhooks.database.rows(`update webhook_hand set delivery_ids = '{}', stamps = '{}'`);
  const rows = await webhooks.worker.queryAsWorker<ClaimRow>(claimQueued({ ...limits, ...more }));
  return {
    counts: ids.map((id) => rows.filter(({ endpoint_id }) => endpoint_id === id).length),
    tooLarge: rows[0]?.too_large.toSorted(),
    rows,
  };
};

describe('shares of a claim', () => {
  it('of kinds of endpoints: so many in all, and those that answer what they may', async () => {
    const ids = await endpoints(4);
    const known = {
      endpointIds: ids.slice(0, 3),
      slots: [5, 5, 5],
      inFlight: [0, 0, 0],
      kinds: [endpointKind.answering, endpointKind.slow, endpointKind.quiet],
    };
    const { counts, rows } = await claim(ids, { ...known, kindRooms: [1, 2, 3] });
    expect(counts).toEqual([5, 1, 2, 3]);
    const order = rows.map(({ endpoint_id }) => endpoint_id ?? '');
    expect(order).toEqual(order.toSorted());
  });

  it('of a merchant: its endpoints that nobody knows share its room, another’s have theirs', async () => {
    const ids = [...(await endpoints(5)), ...(await endpoints(1, other))];
    expect((await claim(ids, { otherMerchantsRooms: [0, 0, 12] })).counts).toEqual([3, 3, 3, 3, 0, 3]);
    const known = { merchantIds: [main], merchantRooms: [[9, 9, 2] as const] };
    expect((await claim(ids, known)).counts).toEqual([1, 1, 0, 0, 0, 4]);
    expect((await claim(ids, { ...known, merchantRooms: [[9, 9, 0]] })).counts).toEqual([0, 0, 0, 0, 0, 4]);
  });

  it('what is left of a merchant’s share: for the endpoint whose turn it is, among those with something to send', async () => {
    const ids = await endpoints(3);
    const idle = await webhooks.endpoint('http://a.example');
    const known = {
      endpointIds: [idle, ...ids.toReversed()],
      slots: [1, 1, 1, 1],
      inFlight: [0, 0, 0, 0],
      kinds: Array.from({ length: 4 }, () => endpointKind.slow),
      merchantIds: [main],
      merchantRooms: [[1, 0, 0] as const],
    };
    expect((await claim(ids, known)).counts).toEqual([0, 0, 1]);
  });

  it('large payloads of slow and unproven endpoints: while their merchant, and all of them, have bytes left; small ones ever', async () => {
    const result_id = await putResult(webhooks.database, {
      id: randomUUID(),
      status: 'active',
      ai_analysis: 'A word, another. '.repeat(6_000),
    });
    const kinds = [endpointKind.answering, endpointKind.quiet, endpointKind.slow, endpointKind.unproven];
    const ids = [...(await endpoints(4, main, { result_id })), ...(await endpoints(1))];
    const known = {
      endpointIds: ids,
      slots: ids.map(() => 5),
      inFlight: ids.map(() => 0),
      kinds: [...kinds, endpointKind.slow],
      merchantIds: [main],
    };
    expect((await claim(ids, { ...known, merchantBytes: [1] })).counts).toEqual([5, 5, 1, 1, 5]);
    const none = await claim(ids, { ...known, merchantBytes: [0] });
    expect([none.counts, none.tooLarge]).toEqual([[5, 5, 0, 0, 5], ids.slice(2, 4)]);
    expect((await claim(ids, { ...known, merchantBytes: [1e9], slowBytes: 0 })).counts).toEqual(none.counts);
    expect((await claim(ids, { ...known, merchantBytes: [1e9] })).counts).toEqual([5, 5, 5, 5, 5]);
  });
});

describe('a claim beside 5,000 closed endpoints with queued deliveries', () => {
  it('reads little of them, finds who is open between and behind them, and who is opened again', async () => {
    const { rows } = webhooks.database;
    const closed = await rows<{ id: string }>(
      `insert into webhook_endpoint (merchant_id, environment, url, events, paused_reason, paused_at)
       select $1, 'production', 'http://a.example', '{interview_failed}', 'by_hand', now() from generate_series(1, 5000)
       returning id`,
      [main],
    );
    await rows(
      `insert into webhook_delivery (merchant_id, environment, endpoint_id, event, reason)
       select merchant_id, environment, e.id, 'test', 'test' from webhook_endpoint e, generate_series(1, 4)`,
    );
    const behind = await rows<{ id: string }>(
      `insert into webhook_endpoint (merchant_id, environment, url, events)
       values ($1, 'production', 'http://a.example', '{interview_failed}') returning id`,
      [main],
    );
    const [one = ''] = behind.map(({ id }) => id);
    await webhooks.deliveries(one, 2);
    await rows('vacuum analyze webhook_endpoint, webhook_delivery');
    const first = await claim([one], { limitEndpoints: 3 });
    expect([first.counts, first.rows[0]?.resume_after]).toEqual([[2], null]);
    expect(await pagesRead(webhooks.worker.writeAsWorker, claimQueued(limits))).toBeLessThan(300);
    const between = closed[2_500]?.id ?? '';
    await rows('update webhook_endpoint set paused_reason = null, paused_at = null where id = $1', [between]);
    expect((await claim([between, one], { limitEndpoints: 5 })).counts).toEqual([4, 2]);
  });
});
