import { randomUUID } from 'node:crypto';
import { fetchDue, scanDue } from '../../../db/webhooks/deliveries';
import {
  recordOutcomes,
  releaseDeliveries,
  reclaimQueued,
  reclaimRetried,
} from '../../../db/webhooks/delivery-outcomes';
import { claimRetried } from '../../../db/webhooks/delivery-retries';
import { noExchange } from '../../harness/webhooks/attempts';
import { fetchOf, scanOpen, wideScan } from '../../harness/webhooks/claim';
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
  it('read few rows to claim, record, reclaim and release', async () => {
    const { rows } = webhooks.database;
    const big = await webhooks.endpoint('http://a.example');
    const others: string[] = [];
    for (let index = 0; index < 20; index++) others.push(await webhooks.endpoint('http://a.example'));
    const limited = await webhooks.endpoint('http://a.example', { in_flight_limit: 3 });
    await webhooks.deliveries(big, 20_000);
    await webhooks.deliveries(big, 5_000, { state: 'acknowledged' });
    for (const id of others) await webhooks.deliveries(id, 10);
    await rows('insert into webhook_lease (owner) values ($1)', [owner]);
    await rows('vacuum analyze');
    const open = (await scanOpen(webhooks)).filter((id) => id !== big).slice(0, 10);
    const chosen = [big, ...open].map((id) => fetchOf(id, id === big ? 20 : 4));
    const claimed = await webhooks.worker.queryAsWorker(fetchDue(owner, chosen, [], 'all'));
    expect(claimed).toHaveLength(60);
    const statements = {
      scan: scanDue(wideScan),
      scanRecent: scanDue({ ...wideScan, months: 'recent' }),
      scanOther: scanDue({ ...wideScan, months: 'other' }),
      fetch: fetchDue(owner, chosen, [], 'all'),
      fetchRecent: fetchDue(owner, chosen, [], 'recent'),
      retried: claimRetried({ owner, endpointId: big, limit: 60 }),
      retriedBesideTheLoop: claimRetried({ owner, endpointId: limited, limit: 4 }),
      record: recordOutcomes(
        null,
        claimed.map(({ id }) => ({ ...outcome, id })),
      ),
      reclaim: reclaimQueued(randomUUID()),
      reclaimRetried: reclaimRetried(owner, big),
      release: releaseDeliveries(owner, []),
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
