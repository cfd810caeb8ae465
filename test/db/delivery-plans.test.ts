import { randomUUID } from 'node:crypto';
import { claimQueued } from '../../db/deliveries';
import type { ClaimRow } from '../../db/deliveries';
import { claimRetried } from '../../db/delivery-retries';
import {
  recordOutcomes,
  releaseDeliveries,
  takeBackQueued,
  takeBackRetried,
} from '../../db/delivery-outcomes';
import { unknownEndpoints } from '../harness/claim-shares';
import { openWebhooks } from '../harness/webhooks';
import type { Webhooks } from '../harness/webhooks';
import { expensiveTables } from './plan-cost';

const owner = randomUUID();
const limits = {
  owner,
  shard: 0,
  shards: 1,
  limitRows: 100,
  limitBytes: 2 ** 20,
  takesOneLarge: false,
  limitEndpoints: 256,
  after: '00000000-0000-0000-0000-000000000000',
  from: '00000000-0000-0000-0000-000000000000',
  before: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ...unknownEndpoints,
  heldIds: [],
  heldStamps: [],
  floorIds: [],
  floors: [],
};
const outcome = {
  series: 1,
  attempts: 0,
  outcome: 'refused' as const,
  wait_ms: 5_000,
  since_ms: 1,
  status: 500,
  error: null,
  request_headers: null,
  request_body: null,
  response_headers: null,
  response_body: null,
  is_truncated: false,
  peer_address: null,
  dns_ms: null,
  connect_ms: null,
  tls_ms: null,
  first_byte_ms: null,
  total_ms: null,
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
    const claimed = await webhooks.worker.hotAsWorker<ClaimRow>(claimQueued({ ...limits, limitRows: 60 }));
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
    const door = (work: Parameters<typeof webhooks.worker.asWorker<never>>[0]) =>
      webhooks.worker.asWorker<never>(async (trx) => {
        await trx.rows({
          text: `select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`,
        });
        return work(trx);
      });
    for (const [name, statement] of Object.entries(statements))
      expect([name, await expensiveTables(door, statement, 130)]).toEqual([name, []]);
  });
});
