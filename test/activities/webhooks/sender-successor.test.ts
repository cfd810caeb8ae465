import { randomUUID } from 'node:crypto';
import { recordOutcomes } from '../../../db/webhooks/delivery-outcomes';
import { until } from '../../harness/wait-for';
import { noExchange } from '../../harness/webhooks/attempts';
import { startReceiver } from '../../harness/webhooks/hook-sink';
import type { Receiver } from '../../harness/webhooks/hook-sink';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { SentDelivery, Webhooks } from '../../harness/webhooks/webhooks';

let webhooks: Webhooks;
let receiver: Receiver;
beforeAll(async () => {
  webhooks = await openWebhooks();
});
afterAll(() => webhooks.close());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await webhooks.stopSenders();
  await receiver.close();
  await webhooks.forget();
});

const states = (rows: SentDelivery[]) => rows.map(({ state, attempts }) => [state, attempts]);

describe('a sender’s successor', () => {
  it('continues after a sender that was stopped, and sends nothing twice', async () => {
    const id = await webhooks.endpoint(receiver.url);
    const ids = await webhooks.deliveries(id, 1_000);
    const first = webhooks.send({ graceMs: 60_000 });
    await until(
      '200 requests',
      () => receiver.received.length,
      (count) => count > 200,
    );
    webhooks.send();
    await first.stop();
    await webhooks.settled(id, 1_000);
    expect(receiver.received.map((one) => one.id).toSorted()).toEqual(ids.toSorted());
  });

  it('reclaims the deliveries of a dead sender as worker_lost, sends them, and ignores its late records', async () => {
    const id = await webhooks.endpoint(receiver.url);
    const zombie = randomUUID();
    const [held = ''] = await webhooks.deliveries(id);
    await webhooks.database.rows(
      'insert into webhook_lease (owner, delivery_ids, stamps) values ($1, $2, $3)',
      [zombie, [held], [100]],
    );
    webhooks.send();
    await webhooks.settled(id, 1);
    expect((await webhooks.attemptsOf(id)).map((row) => [row.attempt, row.outcome])).toEqual([
      [1, 'worker_lost'],
      [2, 'acknowledged'],
    ]);
    const outcome = {
      id: held,
      series: 1,
      attempts: 0,
      outcome: 'refused' as const,
      wait_ms: 0,
      since_ms: 0,
    };
    await webhooks.worker.queryAsWorker(recordOutcomes([{ ...outcome, ...noExchange, status: 500 }]));
    expect(states(await webhooks.rowsOf(id))).toEqual([['acknowledged', 2]]);
  });

  it('is not needed when a sender only loses the connection of its lock, and nothing is lost', async () => {
    const id = await webhooks.endpoint(receiver.url);
    await webhooks.deliveries(id, 2_000);
    webhooks.send();
    await until(
      '300 requests',
      () => receiver.received.length,
      (count) => count > 300,
    );
    const cut = await webhooks.database.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'webhook sender 0' and datname = current_database()`,
    );
    expect(cut).toHaveLength(1);
    await webhooks.settled(id, 2_000);
    expect(receiver.received).toHaveLength(2_000);
    expect((await webhooks.attemptsOf(id)).filter(({ outcome }) => outcome !== 'acknowledged')).toEqual([]);
  });
});
