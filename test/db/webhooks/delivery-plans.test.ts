import { randomUUID } from 'node:crypto';
import { leaseDue, listQueuedEndpoints } from '../../../db/webhooks/deliveries';
import { reclaimDeliveries, recordOutcomes } from '../../../db/webhooks/delivery-outcomes';
import { releaseDueRetries } from '../../../db/webhooks/retries';
import { noExchange } from '../../harness/webhooks/attempts';
import { allEndpoints, findOpen, request } from '../../harness/webhooks/leasing';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { Webhooks } from '../../harness/webhooks/webhooks';
import { expensiveTables } from '../platform/plan-cost';

const owner = randomUUID();
const outcome = {
  series: 1,
  attempts: 0,
  outcome: 'refused' as const,
  wait_ms: 5_000,
  since_ms: 1,
  status: 500,
  ...noExchange,
};

let webhooks: Webhooks;
beforeAll(async () => {
  webhooks = await openWebhooks();
});
afterAll(() => webhooks.close());

describe('plans with 20,000 rows of one endpoint', () => {
  it('read few rows to lease, record, reclaim and release', async () => {
    const { rows } = webhooks.database;
    const big = await webhooks.endpoint('http://a.example');
    const others: string[] = [];
    for (let index = 0; index < 20; index++) others.push(await webhooks.endpoint('http://a.example'));
    await webhooks.deliveries(big, 20_000);
    await webhooks.deliveries(big, 5_000, { state: 'acknowledged' });
    for (const id of others) await webhooks.deliveries(id, 10);
    await rows('insert into webhook_lease (owner) values ($1)', [owner]);
    await rows('vacuum analyze');
    const open = (await findOpen(webhooks)).filter((id) => id !== big).slice(0, 10);
    const requests = [big, ...open].map((id) => request(id, id === big ? 20 : 4));
    const leased = await webhooks.worker.queryAsWorker(leaseDue(owner, requests, []));
    expect(leased).toHaveLength(60);
    const statements = {
      scan: listQueuedEndpoints(allEndpoints),
      scanRecent: listQueuedEndpoints({ ...allEndpoints, months: 'recent' }),
      scanOther: listQueuedEndpoints({ ...allEndpoints, months: 'other' }),
      lease: leaseDue(owner, requests, []),
      releaseDue: releaseDueRetries(big, 60),
      record: recordOutcomes(leased.map(({ id }) => ({ ...outcome, id }))),
      reclaim: reclaimDeliveries(randomUUID()),
    };
    const door = (work: Parameters<typeof webhooks.worker.writeAsWorker<never>>[0]) =>
      webhooks.worker.writeAsWorker<never>(async (trx) => {
        await trx.rows({
          text: `select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`,
        });
        return work(trx);
      });
    for (const [name, statement] of Object.entries(statements))
      expect([name, await expensiveTables(door, statement, 130)]).toEqual([name, []]);
  });
});
