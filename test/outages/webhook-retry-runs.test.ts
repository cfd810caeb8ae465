import type { ServerResponse } from 'node:http';
import type { OwnPlatform } from '../harness/platform/start-platform';
import { waitFor } from '../harness/wait-for';
import { startReceiver, status } from '../harness/webhooks/hook-sink';
import type { Receiver } from '../harness/webhooks/hook-sink';
import { openWebhooks } from '../harness/webhooks/webhooks';
import type { Webhooks } from '../harness/webhooks/webhooks';
import { outagePlatform } from './outage-platform';

let webhooks: Webhooks;
let platform: OwnPlatform;
let receiver: Receiver;
beforeAll(async () => {
  ({ platform } = await outagePlatform());
  [webhooks, receiver] = await Promise.all([
    openWebhooks(platform.database, platform.sealingKeys),
    startReceiver(),
  ]);
});
afterAll(async () => {
  await Promise.all([webhooks.post.close(), webhooks.worker.close(), receiver.close()]);
});

const retried = { state: 'retried', attempts: 1 };
const plan = (ms: number) => ({ retry_waits_ms: Array.from({ length: 9 }, () => ms) });

/** The default limit of activities that a Temporal worker runs at the same time. */
const ownFields = 100;

describe('attemptDue', () => {
  it('claims no more when the worker is stopped, and loses no delivery and sends none twice', async () => {
    receiver.answer = (_, response) => void setTimeout(() => response.end(), 100);
    const id = await webhooks.endpoint(receiver.url);
    await webhooks.deliveries(id, 200, retried);
    await waitFor('some requests', async () => receiver.received.length > 8);
    await platform.worker?.stop();
    const sent = receiver.received.length;
    expect(sent).toBeLessThan(200);
    const rows = await webhooks.rowsOf(id);
    const inState = (state: string) => rows.filter((row) => row.state === state && row.owner === null).length;
    expect([inState('acknowledged'), inState('retried')]).toEqual([sent, 200 - sent]);
    await platform.startWorker();
    await waitFor('the rest', async () =>
      (await webhooks.rowsOf(id)).every(({ state }) => state === 'acknowledged'),
    );
    expect(receiver.received).toHaveLength(200);
  });

  it('retries deliveries of another endpoint while many endpoints are silent', async () => {
    const unanswered = new Set<ServerResponse>();
    /** For the path of each retry, the number of silent requests that were open when the retry arrived. */
    const besides = new Map<string, number>();
    receiver.answer = (received, response) => {
      if (!received.path.startsWith('/silent/')) {
        if (received.attempt > 1) besides.set(received.path, unanswered.size);
        return status(received.attempt > 1 ? 200 : 500)(received, response);
      }
      unanswered.add(response);
      response.on('close', () => unanswered.delete(response));
    };
    // The timeout of the silent endpoints must be longer than the test, so the constraint that limits it is removed.
    await webhooks.database.rows(
      'alter table webhook_endpoint drop constraint webhook_endpoint_timeout_seconds_check',
    );
    for (let index = 0; index < 130; index += 1) {
      const id = await webhooks.endpoint(`${receiver.url}/silent/${index}`, { timeout_seconds: 3_600 });
      await webhooks.deliveries(id, 1, retried);
    }
    // On a very slow machine, Temporal may consider some activities of the silent endpoints lost. The test then
    // causes another retry.
    for (let turn = 0; ; turn += 1) {
      await waitFor('the silent ones', async () => unanswered.size > ownFields);
      const path = `/other/${turn}`;
      const id = await webhooks.endpoint(`${receiver.url}${path}`, plan(100));
      await webhooks.deliveries(id, 1);
      await waitFor('the retry', async () =>
        (await webhooks.rowsOf(id)).every(({ state }) => state === 'acknowledged'),
      );
      const outcomes = (await webhooks.attemptsOf(id)).map(({ outcome }) => outcome);
      expect([outcomes[0], outcomes.at(-1)]).toEqual(['refused', 'acknowledged']);
      if ((besides.get(path) ?? 0) > ownFields) break;
    }
  });
});
