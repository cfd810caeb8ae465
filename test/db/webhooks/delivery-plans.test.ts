import { randomUUID } from 'node:crypto';
import { claimQueued } from '../../../db/webhooks/deliveries';
import type { ClaimRow } from '../../../db/webhooks/deliveries';
import { claimRetried } from '../../../db/webhooks/delivery-retries';
import {
  recordOutcomes,
  releaseDeliveries,
  takeBackQueued,
  takeBackRetried,
} from '../../../db/webhooks/delivery-outcomes';
import { wideClaim } from '../../harness/claim-shares';
import { openWebhooks } from '../../harness/webhooks';
import type { Webhooks } from '../../harness/webhooks';
import { expensiveTables } from '../platform/plan-cost';
import { noExchange } from '../../harness/attempts';

const owner = randomUUID();
const limits = { ...wideClaim, owner };
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

describe('plans with 100,000 rows of one endpoint', () => {
  it('claim, record, take back, release: look at few rows', async () => {
    const { rows } = webhooks.database;
    const big = await webhooks.endpoint('http://a.example');
    const others: string[] = [];
    for (let index = 0; index < 20; index++) others.push(await webhooks.endpoint('http://a.example'));
    const limited = await webhooks.endpoint('http://a.example', { in_flight_limit: 3 });
    await webhooks.deliveries(big, 100_000);
    await webhooks.deliveries(big, 20_000, { state: 'acknowledged' });
    for (const id of others) await webhooks.deliveries(id, 10);
    await rows('insert into webhook_hand (owner) values ($1)', [owner]);
    await rows('vacuum analyze');
    const claimed = await webhooks.worker.queryAsWorker<ClaimRow>(claimQueued({ ...limits, limitRows: 60 }));
    expect(claimed).toHaveLength(60);
    const statements = {
      claim: claimQueued({ ...limits, limitRows: 60 }),
      claimOfKnown: claimQueued({ ...limits, limitRows: 60, floorIds: [big], floors: [0] }),
      retried: claimRetried({ owner, endpointId: big, slots: 60 }),
      retriedBesideTheLoop: claimRetried({ owner, endpointId: limited, slots: 4 }),
      record: recordOutcomes(
        null,
        claimed.filter(({ id }) => id !== null).map((one) => ({ ...outcome, id: one.id ?? '' })),
      ),
      takeBack: takeBackQueued(randomUUID()),
      takeBackRetried: takeBackRetried(owner, big),
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
