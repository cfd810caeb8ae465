import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { recording as limits } from '../../../activities/webhooks/sender/limits';
import { createSenderMetrics } from '../../../activities/webhooks/webhook-metrics';
import { webhookBody } from '../../../api/webhooks/webhook-body';
import type { Query } from '../../../db/platform/statement';
import { maxPayloadBytes, maxTextLength } from '../../../db/webhooks/webhook-payload';
import { until } from '../../harness/wait-for';
import { startReceiver, status } from '../../harness/webhooks/hook-sink';
import type { Receiver } from '../../harness/webhooks/hook-sink';
import { putResult } from '../../harness/webhooks/webhook-rows';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { Webhooks } from '../../harness/webhooks/webhooks';

const mebibyte = 2 ** 20;

let webhooks: Webhooks;
let receiver: Receiver;
let most: number;
beforeAll(async () => {
  webhooks = await openWebhooks();
  receiver = await startReceiver();
});
afterAll(async () => {
  await webhooks.close();
  await receiver.close();
});
beforeEach(async () => {
  await webhooks.stopSenders();
  most = 0;
  receiver.received.length = 0;
  await webhooks.forget();
});

/** Inserts a result whose texts repeat this character. */
const resultOf = (character: string, length: number): Promise<string> =>
  putResult(webhooks.database, {
    id: randomUUID(),
    status: 'active',
    interview_status: 'completed',
    processing_status: 'completed',
    ai_analysis: character.repeat(length),
    ai_analysis_recruiter: character.repeat(length),
    ai_analysis_other: JSON.stringify({
      strengths_concerns: Object.fromEntries(
        ['strengths', 'concerns'].map((list) => [
          list,
          Array.from({ length: 30 }, () => character.repeat(2_000)),
        ]),
      ),
    }),
  });
/** Starts a sender, and records the maximum number of bytes that were in flight. */
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
const allAcknowledged = () =>
  until(
    'every delivery to be acknowledged',
    async () => {
      const [row] = await webhooks.database.rows<{ left: number }>(
        `select count(*)::int as left from webhook_delivery where state <> 'acknowledged'`,
      );
      return row?.left;
    },
    (left) => left === 0,
  );

describe('a result with texts of megabytes', () => {
  it.each([
    ['a', 'letters'],
    ['\u0001', 'characters that JSON escapes'],
    ['😀', 'characters of four bytes'],
  ])('is cut to a valid payload of at most 256 KiB (%j: %s)', async (character) => {
    const id = await webhooks.endpoint(receiver.url);
    await webhooks.deliveries(id, 1, { result_id: await resultOf(character, mebibyte) });
    webhooks.send();
    await allAcknowledged();
    const [one] = receiver.received;
    expect(Buffer.byteLength(one?.body ?? '')).toBeLessThanOrEqual(maxPayloadBytes);
    const body = webhookBody.parse(JSON.parse(one?.body ?? ''));
    expect(body.ai_analysis).toBe(character.repeat(maxTextLength));
    expect(body.ai_analysis_recruiter_why_hire).toHaveLength(10);
    const [attempt] = await webhooks.attemptsOf(id);
    expect(attempt?.['request_body']).toBe(one?.body);
  });
});

describe('many large payloads', () => {
  it('arrive, with no more bytes in flight than the window and its records can hold', async () => {
    const result_id = await resultOf('😀', mebibyte);
    for (let index = 0; index < 20; index++)
      await webhooks.deliveries(await webhooks.endpoint(`${receiver.url}/large`), 20, { result_id });
    receiver.answer = (one, response) => {
      one.body = String(one.body.length);
      void wait(30).then(() => response.end());
    };
    sendWatched();
    await allAcknowledged();
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(400);
    expect(receiver.received).toHaveLength(400);
    expect(most).toBeGreaterThan(mebibyte);
    expect(most).toBeLessThanOrEqual(limits.maxUnrecorded * maxPayloadBytes);
  });
});

describe('the sender', () => {
  it('stops while 200 attempts wait to be recorded', async () => {
    receiver.answer = status(200);
    const ids: string[] = [];
    for (let index = 0; index < 30; index++) ids.push(await webhooks.endpoint(`${receiver.url}/${index}`));
    for (const id of ids) await webhooks.deliveries(id, 60);
    // After 300 requests, no outcome is recorded until the test calls `release`.
    let release = () => {};
    let isHeld = false;
    const recording = new Promise<void>((resolve) => {
      release = resolve;
    });
    const queryAsWorker = async <Row>(query: Query<Row>) => {
      if (receiver.received.length > 300 && 'name' in query && query.name === 'record_outcomes') {
        isHeld = true;
        await recording;
      }
      return webhooks.worker.queryAsWorker(query);
    };
    webhooks.send({ database: { ...webhooks.worker, queryAsWorker } });
    let last = -1;
    await until(
      'no more requests',
      async () => {
        const before = last;
        last = receiver.received.length;
        await wait(300);
        return isHeld && before === last;
      },
      (isStill) => isStill,
    );
    // On a loaded machine, the sender classifies some calls as slow. Slow calls have their own limit of 500 for a
    // merchant, so more requests are possible.
    expect(receiver.received.length).toBeLessThan(1_200);
    release();
    for (const id of ids) await webhooks.settled(id, 60);
    expect(receiver.received).toHaveLength(1_800);
  });
});
