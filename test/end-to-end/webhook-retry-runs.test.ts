import { startReceiver, status } from '../harness/hook-sink';
import type { Receiver } from '../harness/hook-sink';
import { createDatabase } from '../harness/database';
import { waitFor } from '../harness/interview-rows';
import { startPlatform } from '../harness/platform';
import type { Platform } from '../harness/platform';
import { openWebhooks } from '../harness/webhooks';
import type { Webhooks } from '../harness/webhooks';

let webhooks: Webhooks;
let platform: Platform;
let receiver: Receiver;
beforeAll(async () => {
  const database = await createDatabase();
  [webhooks, receiver] = await Promise.all([openWebhooks(database), startReceiver()]);
  platform = await startPlatform({
    database,
    workerVariables: { SEALING_KEYS: webhooks.sealingKeys, SHUTDOWN_GRACE_SECONDS: '30' },
  });
});
afterAll(async () => {
  await Promise.all([webhooks.post.close(), webhooks.worker.close(), receiver.close()]);
  await platform.stop();
});

const retried = { state: 'retried', attempts: 1 };
const plan = (ms: number) => ({ retry_waits_ms: Array.from({ length: 9 }, () => ms) });

describe('attemptDue', () => {
  it('the worker is told to end in the middle of many: it claims no more, nothing is lost or sent twice', async () => {
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

  it('many endpoints are silent: the retry of another one arrives', async () => {
    const answers = [status(500)];
    receiver.answer = (received, response) =>
      received.path === '/other' && (answers.shift() ?? status(200))(received, response);
    // Waited for until the end of the test, however long it takes.
    await webhooks.database.rows(
      'alter table webhook_endpoint drop constraint webhook_endpoint_timeout_seconds_check',
    );
    const silent: string[] = [];
    for (let index = 0; index < 130; index += 1) {
      const id = await webhooks.endpoint(`${receiver.url}/silent/${index}`, { timeout_seconds: 3_600 });
      await webhooks.deliveries(id, 1, retried);
      silent.push(id);
    }
    // More than the engine's own number of activities at a time.
    await waitFor('the silent ones', async () => {
      const paths = receiver.received.map(({ path }) => path);
      return new Set(paths.filter((path) => path.startsWith('/silent/'))).size > 120;
    });
    const id = await webhooks.endpoint(`${receiver.url}/other`, plan(100));
    await webhooks.deliveries(id, 1);
    await waitFor('the retry', async () =>
      (await webhooks.rowsOf(id)).every(({ state }) => state === 'acknowledged'),
    );
    expect((await webhooks.attemptsOf(id)).map(({ outcome }) => outcome)).toEqual([
      'refused',
      'acknowledged',
    ]);
    // None of the silent ones has ended.
    for (const one of silent) expect(await webhooks.attemptsOf(one)).toEqual([]);
  });
});
