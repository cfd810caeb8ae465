import type { Caller } from '../../../db/platform/caller';
import { createWorld } from './world';
import type { Cell, World } from './world';

/* Functions that run with the rights of their owner check the caller themselves, whatever the API has checked. */

let world: World;
let cell: Cell;
let stranger: Cell;
let owner: Caller;
let manager: Caller;
beforeAll(async () => {
  world = await createWorld();
  // The demo environment has invitations without credits.
  [, cell, , stranger] = world.cells;
  owner = cell.user;
  manager = { ...cell.user, role: 'merchant_selection' } as Caller;
});

async function valueOf(caller: Caller, call: string, values: unknown[]): Promise<unknown> {
  const statement = {
    name: call.replaceAll(/\W/g, '_'),
    text: `select to_jsonb(array(select f from ${call} f)) as found`,
    values,
  };
  const role = caller === manager ? 'merchant_selection' : 'merchant_owner';
  await world.database.rows('update profile set role = $2 where id = $1', [cell.profileId, role]);
  return (await world.api.write(caller, (trx) => trx.one<{ found: unknown }>(statement))).found;
}

describe('functions with the rights of their owner', () => {
  it('reads nothing of another merchant', async () => {
    const [{ id: delivery } = { id: '' }] = await world.database.rows<{ id: string }>(
      'select id from webhook_delivery where merchant_id = $1 limit 1',
      [stranger.merchantId],
    );
    await world.database.rows(
      `insert into webhook_lease (owner, delivery_ids, stamps) values (gen_random_uuid(), array[$1::uuid], '{0}')`,
      [delivery],
    );
    expect(await valueOf(owner, 'app.leased_deliveries($1)', [[delivery]])).toEqual([]);
    expect(
      await valueOf(owner, 'app.max_score_of($1, $2, 1)', [stranger.merchantId, stranger.taken.result]),
    ).toEqual([null]);
    expect(await valueOf(owner, 'app.max_score_of($1, $2, 1)', [cell.merchantId, cell.taken.result])).toEqual(
      [10],
    );
    expect(await valueOf(owner, 'app.report_schedule_states($1)', [[stranger.taken.schedule]])).toEqual([]);
  });

  it('changes and finds nothing for a hiring manager', async () => {
    const [{ id: unbuilt } = { id: '' }] = await world.database.rows<{ id: string }>(
      'select id from interview where merchant_id = $1 and environment = $2 and built_at is null',
      [cell.merchantId, cell.environment],
    );
    await world.database.rows(
      `update interview_result set status = 'active', attempt = 9, processing_status = 'completed', interview_status = 'completed' where id = $1`,
      [cell.taken.result],
    );
    const [{ email_key: email } = { email_key: '' }] = await world.database.rows<{ email_key: string }>(
      'select email_key from profile where id = $1',
      [cell.profileId],
    );
    const calls: [string, unknown, unknown, unknown][] = [
      ['app.discard_unbuilt_interview($1)', unbuilt, [false], [true]],
      ['app.reopen_result($1)', cell.taken.result, [false], [true]],
      ['app.reserve_invitations($1)', 1, [0], [1]],
      ['app.find_accounts($1)', [email], [], [expect.objectContaining({ email_key: email })]],
      ['app.lock_invitations($1)', [email], [], [{ email_key: email, mailed: expect.any(Number) }]],
    ];
    for (const [call, value, refused, allowed] of calls) {
      expect([call, await valueOf(manager, call, [value])]).toEqual([call, refused]);
      expect([call, await valueOf(owner, call, [value])]).toEqual([call, allowed]);
    }
  });
});
