import type { Requester, Transaction } from '../../../db/platform/database';
import { createWorld, insertOf, rowOf, uuid } from '../platform/world';
import type { Cell, World } from '../platform/world';

/*
 * Tests what callers may write to the webhook tables of their own merchant and environment, which matrix.test.ts does
 * not test.
 */

let world: World;
let cell: Cell;
beforeAll(async () => {
  world = await createWorld();
  [cell] = world.cells;
});

class RolledBack extends Error {}

async function undone<T>(caller: Requester, work: (trx: Transaction) => Promise<T>): Promise<T> {
  const done: T[] = [];
  await world.api
    .write(caller, async (trx) => {
      done.push(await work(trx));
      throw new RolledBack();
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
  const [value] = done;
  if (value === undefined) throw new Error('nothing was done');
  return value;
}
const count = (caller: Requester, text: string, values: unknown[] = []) =>
  undone(caller, (trx) => trx.count({ text, values }));
const insert = (caller: Requester, table: string, more: Record<string, unknown> = {}) => {
  const { text, values } = insertOf(table, { ...rowOf(table, cell, cell.free), ...more });
  return count(caller, text, values);
};
const refusedByPolicy = { code: '42501', routine: 'ExecWithCheckOptions' };

describe('callers', () => {
  const asked = (caller: Requester) => ({
    requested_by: caller === cell.user ? cell.profileId : cell.serviceKeyId,
  });

  it.each<[string, string, Record<string, unknown>]>([
    ['webhook_delivery', 'an event of a result', { event: 'interview_result', result_id: uuid() }],
    ['webhook_delivery', 'a test that waits for its retry', { state: 'retried' }],
    ['webhook_delivery', 'a test that was attempted', { attempts: 1 }],
    ['webhook_delivery', 'a test that is released', { is_released: true }],
    ['webhook_replay', 'a replay of another caller', { requested_by: uuid() }],
    ['webhook_replay', 'a replay that is done', { state: 'done' }],
  ])('cannot insert into %s: %s', async (table, _, more) => {
    for (const caller of [cell.user, cell.service]) {
      const own = table === 'webhook_replay' ? asked(caller) : {};
      expect(await insert(caller, table, own)).toBe(1);
      await expect(insert(caller, table, { ...own, ...more })).rejects.toMatchObject(refusedByPolicy);
    }
  });

  it.each([
    `update webhook_delivery set state = 'acknowledged', next_attempt_at = null, finished_at = now()`,
    `update webhook_delivery set state = 'gave_up', next_attempt_at = null, finished_at = now()`,
    `update webhook_replay set state = 'done'`,
    `update webhook_replay set state = 'running'`,
  ])('cannot set %s, which only the worker does', async (text) => {
    for (const caller of [cell.user, cell.service])
      await expect(count(caller, text)).rejects.toMatchObject(refusedByPolicy);
  });

  it('cannot change a replay that has ended or an endpoint that was deleted', async () => {
    const put = async (table: string, more: Record<string, unknown>) => {
      const id = uuid();
      const { text, values } = insertOf(table, { ...rowOf(table, cell, cell.free, id), ...more });
      await world.database.rows(text, values);
      return id;
    };
    const cancel = `update webhook_replay set state = 'cancelled' where id = $1`;
    const revive = 'update webhook_endpoint set deleted_at = null where id = $1';
    for (const caller of [cell.user, cell.service]) {
      expect(await count(caller, cancel, [await put('webhook_replay', {})])).toBe(1);
      expect(await count(caller, cancel, [await put('webhook_replay', { state: 'done' })])).toBe(0);
      expect(await count(caller, revive, [await put('webhook_endpoint', {})])).toBe(1);
      const deleted = await put('webhook_endpoint', { deleted_at: '2026-01-01' });
      expect(await count(caller, revive, [deleted])).toBe(0);
    }
  });
});

describe('a hiring manager', () => {
  let manager: Requester;
  let profileId: string;
  beforeAll(async () => {
    profileId = uuid();
    const sessionId = uuid();
    const role = 'merchant_selection';
    const profile = { ...rowOf('profile', cell, cell.free, profileId), role };
    const session = { id: sessionId, profile_id: profileId, environment: cell.environment };
    for (const { text, values } of [insertOf('profile', profile), insertOf('session', session)])
      await world.database.rows(text, values);
    if (cell.user.kind !== 'user_session') throw new Error('the cell has no user');
    manager = { ...cell.user, sessionId, profileId, role };
  });

  it.each<[string, string]>([
    ['webhook_endpoint', 'enabled = false'],
    ['webhook_secret', 'expires_at = now()'],
    ['webhook_delivery', 'next_attempt_at = now()'],
    ['webhook_replay', `state = 'cancelled'`],
    ['interview_result', 'recruiter_go_next_round = true'],
  ])('reads and does not change %s', async (table, set) => {
    const text = `update ${table} set ${set}`;
    expect(await count(cell.user, text)).toBeGreaterThan(0);
    expect(await count(manager, text)).toBe(0);
    expect(await undone(manager, (trx) => trx.rows({ text: `select id from ${table}` }))).not.toEqual([]);
  });

  it.each<[string, () => Record<string, unknown>]>([
    ['webhook_endpoint', () => ({})],
    ['webhook_secret', () => ({})],
    ['webhook_delivery', () => ({})],
    ['webhook_replay', () => ({ requested_by: profileId })],
  ])('cannot insert into %s', async (table, own) => {
    await expect(insert(manager, table, own())).rejects.toMatchObject(refusedByPolicy);
  });
});

describe('webhook_delivery', () => {
  it.each<[string, Record<string, unknown>]>([
    ['more attempts than ten', { attempts: 11 }],
    ['a negative number of attempts', { attempts: -1 }],
    ['a series before the first', { series: 0 }],
    ['the next attempt of a delivery that has ended', { state: 'gave_up', finished_at: '2026-01-01' }],
    ['a delivery that has ended without a finish time', { state: 'gave_up', next_attempt_at: null }],
    ['a queued delivery without a next attempt', { next_attempt_at: null }],
    ['a queued delivery with a finish time', { finished_at: '2026-01-01' }],
  ])('does not store %s, whoever writes', async (_, more) => {
    const { text, values } = insertOf('webhook_delivery', {
      ...rowOf('webhook_delivery', cell, cell.free),
      ...more,
    });
    await expect(world.database.rows(text, values)).rejects.toMatchObject({ code: '23514' });
  });
});
