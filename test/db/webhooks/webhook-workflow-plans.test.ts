import type { Transaction } from '../../../db/platform/database';
import type { Query } from '../../../db/platform/statement';
import { countReplayable, lockReplay, requeuePage } from '../../../db/webhooks/replays';
import type { Replay } from '../../../db/webhooks/replays';
import { listOverdueRetries, makeRetriesDue, releaseDueRetries } from '../../../db/webhooks/retries';
import { listOwners, listUnmailedPauses } from '../../../db/webhooks/webhook-pauses';
import { expensiveTables } from '../platform/plan-cost';
import { createWorld, uuid } from '../platform/world';
import type { Cell, World } from '../platform/world';

/*
 * Tests the plans of the webhook workflows' statements on tables that are large enough for a wrong plan to be chosen:
 * an endpoint with 50,000 waiting deliveries, 2,000 endpoints with one each, 2,000 paused ones, and 50,000
 * acknowledged deliveries.
 */

const size = 50_000;
let world: World;
let cell: Cell;
let replay: Replay;
const noId = '00000000-0000-0000-0000-000000000000';

beforeAll(async () => {
  world = await createWorld();
  [cell] = world.cells;
  const { rows } = world.database;
  const { merchantId, environment, taken } = cell;
  await rows('set session_replication_role = replica');
  await rows(
    `insert into webhook_delivery (merchant_id, environment, endpoint_id, event, reason, state, attempts, next_attempt_at, finished_at)
     select $1, $2, $3, 'test', 'test', state, 1, case state when 'retried' then now() + n * interval '1 second' end,
       case state when 'acknowledged' then now() end
     from unnest(array['retried', 'acknowledged']) state, generate_series(1, ${size}) n`,
    [merchantId, environment, taken.endpoint],
  );
  await rows(
    `with endpoint as (
       insert into webhook_endpoint (merchant_id, environment, url, events, paused_reason, paused_at, paused_mailed_at)
       select $1, $2, 'https://a.example', '{interview_result}', reason, case when reason is not null then now() end,
         case when reason is not null then now() end
       from unnest(array[null, 'gone']) reason, generate_series(1, 2000) returning id, paused_reason
     )
     insert into webhook_delivery (merchant_id, environment, endpoint_id, event, reason, state, next_attempt_at)
     select $1, $2, id, 'test', 'test', 'retried', now() - interval '1 hour' from endpoint where paused_reason is null`,
    [merchantId, environment],
  );
  await rows(
    `insert into profile (merchant_id, role, email, email_key, name, activated_at)
     select $1, case when n % 2000 = 0 then 'merchant_owner' else 'candidate' end, n || '@any.example', n || '@any.example',
       'Any', now() from generate_series(1, 20000) n`,
    [merchantId],
  );
  await rows(`update webhook_replay set created_at = now() + interval '1 minute'`);
  await rows('set session_replication_role = origin');
  await rows('analyze');
  const [found] = await world.worker.writeAsWorker(async (trx) => {
    const [{ id } = { id: '' }] = await trx.rows<{ id: string }>({
      text: 'select id from webhook_replay where merchant_id = $1 and environment = $2',
      values: [merchantId, environment],
    });
    return trx.rows<Replay>(lockReplay(id));
  });
  if (!found) throw new Error('there is no replay');
  replay = found;
});

const door = (work: (trx: Transaction) => Promise<never>) => world.worker.writeAsWorker(work);
const hot: Record<string, [() => Query, number?]> = {
  'scan for overdue retries': [() => listOverdueRetries(noId, 50, 3_000), 60],
  'a release of retries': [() => releaseDueRetries(cell.taken.endpoint, 100), 100],
  'pauses without a mail': [() => listUnmailedPauses(100)],
  'retrying one delivery': [() => makeRetriesDue(cell.taken.endpoint, uuid(), new Date().toISOString(), 100)],
  'retrying all': [() => makeRetriesDue(cell.taken.endpoint, null, new Date().toISOString(), 100), 300],
  'owners of a merchant': [() => listOwners(cell.merchantId)],
  'a page of a replay': [() => requeuePage({ ...replay, filter: { state: 'retried' } }, 100), 20_000],
  'a page of a replay that nothing matches': [
    () => requeuePage({ ...replay, filter: { status: 418 } }, 100),
    20_000,
  ],
};

describe('plans of the webhook workflows', () => {
  it('are tested by a query that distinguishes a full scan from a lookup', async () => {
    expect(
      await expensiveTables(door, { text: `select from webhook_delivery where reason = 'x'` }),
    ).toHaveLength(1);
  });

  it.each(Object.entries(hot))('read no more rows than needed: %s', async (_name, [query, most]) => {
    expect(await expensiveTables(door, query(), most)).toEqual([]);
  });

  it('count the deliveries of a replay by endpoint and state with the index for support', async () => {
    const filter = { endpoint_id: cell.free.endpoint, state: 'gave_up' as const };
    const read = (work: (trx: Transaction) => Promise<never>) => world.api.read(cell.user, work);
    expect(await expensiveTables(read, countReplayable(filter))).toEqual([]);
  });
});
