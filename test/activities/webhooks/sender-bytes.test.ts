import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { createSenderMetrics } from '../../../activities/webhooks/sender/metrics';
import { slowBytes } from '../../../activities/webhooks/sender/merchant-share';
import { claimBytes, windowBytes, windowCalls } from '../../../activities/webhooks/sender/slots';
import { claimQueued, smallBytes } from '../../../db/webhooks/deliveries';
import type { ClaimRow } from '../../../db/webhooks/deliveries';
import { wideClaim } from '../../harness/claim-shares';
import { startReceiver } from '../../harness/hook-sink';
import type { Answer, Receiver } from '../../harness/hook-sink';
import { putResult } from '../../harness/webhook-rows';
import { until } from '../../harness/wait-for';
import { openWebhooks } from '../../harness/webhooks';
import type { Webhooks } from '../../harness/webhooks';

const mebibyte = 2 ** 20;

let webhooks: Webhooks;
let receiver: Receiver;
let most: number;
beforeAll(async () => {
  webhooks = await openWebhooks();
  receiver = await startReceiver();
});
const answerSoon: Answer = (one, response) => {
  // What was sent is asserted by its length: the test's process must not keep it all.
  one.body = String(one.body.length);
  void wait(30).then(() => response.end());
};
afterAll(async () => {
  await webhooks.close();
  await receiver.close();
});
beforeEach(async () => {
  await webhooks.stopSenders();
  most = 0;
  receiver.received.length = 0;
  receiver.answer = answerSoon;
  await webhooks.forget();
});

/** A result whose payload is a little longer than this. */
const resultOf = (bytes: number): Promise<string> =>
  putResult(webhooks.database, {
    id: randomUUID(),
    status: 'active',
    interview_status: 'completed',
    processing_status: 'completed',
    ai_analysis: 'A word, another. '.repeat(bytes / 17),
  });
/** A sender that is watched after each of its turns. */
const sendWatched = () => {
  const metrics = createSenderMetrics(new Registry());
  webhooks.send({
    metrics: {
      ...metrics,
      setInFlight: (shard, count, bytes) => {
        most = Math.max(most, bytes);
        metrics.setInFlight(shard, count, bytes);
      },
    },
  });
};
const open = async () => {
  const [row] = await webhooks.database.rows<{ left: number }>(
    `select count(*)::int as left from webhook_delivery where state <> 'acknowledged'`,
  );
  return row?.left;
};

describe('claimQueued', () => {
  const limits = { ...wideClaim, owner: randomUUID(), limitEndpoints: 10 };
  const claim = (limitBytes: number, takesOneLarge: boolean) =>
    webhooks.worker.queryAsWorker<ClaimRow>(claimQueued({ ...limits, limitBytes, takesOneLarge }));

  it('payloads too large for what is left: they wait, small ones do not; the first however large, if asked for', async () => {
    await webhooks.database.rows('insert into webhook_hand (owner) values ($1)', [limits.owner]);
    const result_id = await resultOf(mebibyte);
    const [large, small] = [
      await webhooks.endpoint('http://a.example'),
      await webhooks.endpoint('http://a.example'),
    ];
    await webhooks.deliveries(large, 3, { result_id });
    await webhooks.deliveries(small, 3);
    const endpoints = (rows: ClaimRow[]) => rows.map(({ endpoint_id }) => endpoint_id);
    const none = await claim(mebibyte, false);
    expect([endpoints(none), none[0]?.too_large]).toEqual([[small, small, small], [large]]);
    const nothing = await claim(mebibyte, false);
    expect(nothing).toMatchObject([{ id: null, too_large: [large] }]);
    expect(endpoints(await claim(mebibyte, true))).toContain(large);
    await webhooks.database.rows(`update webhook_hand set delivery_ids = '{}', stamps = '{}'`);
    const two = await claim(2.4 * mebibyte, true);
    expect(endpoints(two).filter((id) => id === large)).toHaveLength(2);
    const [hand] = await webhooks.database.rows<{ delivery_ids: string[] }>(
      'select delivery_ids from webhook_hand',
    );
    expect(hand?.delivery_ids).toHaveLength(5);
  });
});

describe('payloads of megabytes', () => {
  it('40 of 2 MiB beside small ones: all arrive, never more bytes under way than the budget; the small ones wait for none of them', async () => {
    const result_id = await resultOf(2 * mebibyte);
    for (let index = 0; index < 10; index++)
      await webhooks.deliveries(await webhooks.endpoint(`${receiver.url}/large`), 4, { result_id });
    for (let index = 0; index < 5; index++)
      await webhooks.deliveries(await webhooks.endpoint(`${receiver.url}/small`), 40);
    const held: (() => void)[] = [];
    let small = 0;
    // None of the large ones is answered before the last of the small ones is there.
    receiver.answer = (one, response) => {
      if (one.path === '/small' && ++small === 200) held.splice(0).forEach((answer) => answer());
      if (one.path === '/large' && small < 200) {
        one.body = String(one.body.length);
        held.push(() => response.end());
      } else answerSoon(one, response);
    };
    sendWatched();
    await until('every delivery to be sent', open, (left) => left === 0);
    expect(receiver.received).toHaveLength(240);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(240);
    expect(receiver.received.filter(({ body }) => Number(body) > 2 * mebibyte)).toHaveLength(40);
    expect(most).toBeGreaterThan(3 * mebibyte);
    expect(most).toBeLessThanOrEqual(windowBytes + slowBytes + windowCalls * smallBytes);
    const [kept] = await webhooks.database.rows<{ bodies: number }>(
      `select count(*)::int as bodies from webhook_attempt where octet_length(request_body) > ${2 * mebibyte}`,
    );
    expect(kept).toEqual({ bodies: 40 });
  });

  it('one that is larger than a claim: sent, alone', async () => {
    const result_id = await resultOf(claimBytes + mebibyte);
    const id = await webhooks.endpoint(receiver.url);
    await webhooks.deliveries(id, 2, { result_id });
    sendWatched();
    await until('every delivery to be sent', open, (left) => left === 0);
    expect(receiver.received).toHaveLength(2);
    expect(most).toBeGreaterThan(claimBytes);
    expect(most).toBeLessThan(2 * claimBytes);
  });
});
