import { announceChanges } from '../../../db/webhooks/sync-events';
import { waitFor } from '../../harness/wait-for';
import { deliveriesOf, putEndpoint } from '../../harness/webhooks/webhook-rows';
import { createWorld } from '../platform/world';
import type { Cell, World } from '../platform/world';

/* The event sync.changed (docs/webhooks.md#the-event-of-the-feed). */

let world: World;
let [ours, demo, theirs]: Cell[] = [];
beforeAll(async () => {
  world = await createWorld();
  ours = world.cells.find(({ environment }) => environment === 'production');
  demo = world.cells.find((cell) => cell.merchantId === ours?.merchantId && cell !== ours);
  theirs = world.cells.find((cell) => cell.merchantId !== ours?.merchantId);
});
beforeEach(() => world.database.rows('update webhook_endpoint set deleted_at = now()'));

const endpointIn = (cell: Cell | undefined, more: Record<string, unknown> = {}) =>
  putEndpoint(
    world.database,
    { events: ['sync.changed'], ...more },
    { merchant_id: cell?.merchantId ?? '', environment: cell?.environment ?? '' },
  );
const change = (cell: Cell | undefined) =>
  world.database.rows('update interview set description = uuidv7()::text where id = $1', [
    cell?.taken.interview,
  ]);
const announce = async () => {
  // Nothing that has ended is announced while an older transaction of the cluster is running.
  const [ended] = await world.database.rows<{ tx: string }>('select pg_current_xact_id()::text as tx');
  await waitFor('older transactions to end', async () => {
    const [row] = await world.database.rows<{ is_over: boolean }>(
      'select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as is_over',
      [ended?.tx],
    );
    return row?.is_over;
  });
  const [row] = await world.worker.queryAsWorker(announceChanges(10));
  return row?.queued;
};
/** Makes the deliveries of the endpoint a minute older, in another state. */
const age = (id: string, state = 'acknowledged') =>
  world.database.rows(
    `update webhook_delivery set created_at = created_at - interval '61 seconds', state = $2,
       finished_at = case when $2 = 'acknowledged' then now() end,
       next_attempt_at = case when $2 <> 'acknowledged' then now() end where endpoint_id = $1`,
    [id, state],
  );

describe('sync.changed', () => {
  it('is queued for the endpoints that name it, of the account and environment that changed', async () => {
    const [named, elsewhere, foreign] = [
      await endpointIn(ours),
      await endpointIn(demo),
      await endpointIn(theirs),
    ];
    const others = [
      await endpointIn(ours, { events: ['interview_result'] }),
      await endpointIn(ours, { enabled: false }),
      await endpointIn(ours, { deleted_at: new Date() }),
    ];
    // A new endpoint has been told about nothing.
    expect(await announce()).toBe(3);
    for (const id of [named, elsewhere, foreign]) await age(id);
    await change(ours);
    expect(await announce()).toBe(1);
    const queued = async (ids: string[]) =>
      Promise.all(ids.map(async (id) => (await deliveriesOf(world.database, id)).length));
    expect(await queued([named, elsewhere, foreign, ...others])).toEqual([2, 1, 1, 0, 0, 0]);
    expect((await deliveriesOf(world.database, named))[1]).toMatchObject({
      event: 'sync.changed',
      state: 'queued',
      result_id: null,
      reason: '',
    });
    // What all environments share is a change in each of them.
    await age(named);
    await world.database.rows('update report set is_shared = not is_shared where id = $1', [
      ours?.taken.report,
    ]);
    expect(await announce()).toBe(2);
    expect(await queued([named, elsewhere, foreign])).toEqual([3, 2, 1]);
  });

  it('is not queued again without a change, within a minute, or while one waits', async () => {
    const id = await endpointIn(ours);
    expect(await announce()).toBe(1);
    await age(id);
    expect(await announce()).toBe(0);
    await change(ours);
    for (const state of ['queued', 'retried']) {
      await age(id, state);
      expect([state, await announce()]).toEqual([state, 0]);
    }
    await world.database.rows(
      `update webhook_delivery set created_at = now(), state = 'acknowledged', finished_at = now(), next_attempt_at = null
       where endpoint_id = $1`,
      [id],
    );
    expect(await announce()).toBe(0);
    await age(id);
    expect(await announce()).toBe(1);
  });

  it('is queued once by workers that look at the same time', async () => {
    const id = await endpointIn(ours);
    await announce();
    await age(id);
    await change(ours);
    await Promise.all(Array.from({ length: 4 }, announce));
    expect(await deliveriesOf(world.database, id)).toHaveLength(2);
  });

  it('is queued for changes of another cluster after a restore', async () => {
    const id = await endpointIn(ours);
    await world.database.rows(
      `update webhook_endpoint set sync_announced_tx = '9000000000000' where id = $1`,
      [id],
    );
    expect(await announce()).toBe(1);
  });
});
