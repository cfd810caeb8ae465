import { randomUUID } from 'node:crypto';
import { merchants, people } from '../../../local/seed/accounts';
import { signIn } from '../../harness/identity/accounts';
import { openConsole } from '../../harness/identity/console';
import { give, makeSide, names } from '../../harness/identity/position-sides';
import type { Side } from '../../harness/identity/position-sides';
import { cloneInterview } from '../../harness/people/people';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

/* Tests how owners restrict a hiring manager to positions, with team-member-update and on the Team page. */

let platform: Platform;
let manager: string;
let shown: Side;
let hidden: Side;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  shown = await makeSide(platform, 'Gardener');
  hidden = await makeSide(platform, 'Locksmith');
  ({ access_token: manager } = await signIn(platform, 'merchant_selection'));
});

const listed = async () => {
  const { body } = await platform.call('team-member-list', { query: { role: 'merchant_selection' } });
  const rows = body['data'] as { profile_id: string; position_ids: string[] | null }[];
  return rows.find(({ profile_id }) => profile_id === people.merchant_selection.id)?.position_ids;
};

describe('position_ids', () => {
  it('are listed, apply with the next request, and show everything again when they are null', async () => {
    const results = async () => (await platform.call('merchant-result-list', { token: manager })).text;
    expect((await give(platform, [hidden.position, shown.position, shown.position])).status).toBe(200);
    expect(await listed()).toEqual([hidden.position, shown.position].toSorted());
    expect(names(await results(), hidden)).toBe(true);
    expect((await give(platform, [shown.position, hidden.position])).body).toMatchObject({
      updated_fields: [],
    });
    await give(platform, []);
    expect(await listed()).toEqual([]);
    expect(JSON.parse(await results())).toMatchObject({ data: [], pagination: { total: 0 } });
    await give(platform, null);
    expect(await listed()).toBeNull();
    expect(names(await results(), hidden)).toBe(true);
    const acts = await platform.database.rows(
      `select details from audit_entry where act = 'team-member-positions' order by id desc limit 2`,
    );
    expect(acts).toEqual([
      { details: { from: [], to: null } },
      { details: { from: expect.any(Array), to: [] } },
    ]);
  });

  it('restrict a person in every environment', async () => {
    const uat = (await signIn(platform, 'merchant_selection', 'uat')).access_token;
    const total = async () => {
      const { body } = await platform.call('merchant-status', { token: uat });
      return body['definitions_active'];
    };
    expect(await total()).toBeGreaterThan(0);
    await give(platform, [shown.position]);
    expect(await total()).toBe(0);
    const ownerInUat = (await signIn(platform, 'merchant_owner', 'uat')).access_token;
    expect((await give(platform, [shown.position], {}, ownerInUat)).body).toMatchObject({
      name: 'position_ids[0]',
    });
    expect(await listed()).toEqual([shown.position]);
    await give(platform, null, {}, ownerInUat);
    expect(await listed()).toBeNull();
  });

  it.each([
    ['unknown', () => randomUUID()],
    ['archived', () => cloneInterview(platform.database, { status: 'archived' })],
    ['deleted', () => cloneInterview(platform.database, { status: 'deleted' })],
    ['unbuilt', () => cloneInterview(platform.database, { built_at: null })],
    ['of another merchant', () => cloneInterview(platform.database, { merchant_id: merchants.other.id })],
  ])('return 422 with the index of an id that is %s', async (_, makeId) => {
    const { status, body } = await give(platform, [shown.position, shown.interview, await makeId()]);
    expect([status, body]).toMatchObject([422, { name: 'position_ids[2]', code: 'unknown_id' }]);
    expect(await listed()).toBeNull();
  });

  it('keep an id whose position is archived afterwards', async () => {
    const interview = await cloneInterview(platform.database);
    await give(platform, [interview]);
    await platform.database.rows(`update interview set status = 'archived' where id = $1`, [interview]);
    expect((await give(platform, [interview, shown.position])).status).toBe(200);
    expect(await listed()).toEqual([interview, shown.position].toSorted());
    await give(platform, null);
  });

  it('return 422 for people with another role, and have no effect while the role is another one', async () => {
    const other = { profile_id: people.merchant.id };
    expect((await give(platform, [shown.position], other)).body).toMatchObject({
      name: 'position_ids',
      code: 'conflicting_fields',
    });
    expect((await give(platform, [shown.position], { role: 'merchant' })).status).toBe(422);
    expect((await give(platform, null, other)).body).toMatchObject({ updated_fields: [] });
    expect((await give(platform, [shown.position], { withdraw: true })).body).toMatchObject({
      code: 'conflicting_fields',
    });

    await give(platform, [shown.position]);
    const update = (role: string) =>
      platform.call('team-member-update', { body: { profile_id: people.merchant_selection.id, role } });
    await update('merchant');
    const client = await openConsole(platform, 'merchant_selection');
    expect(names((await client.get('/console/results')).html, hidden)).toBe(true);
    await update('merchant_selection');
    expect(await listed()).toEqual([shown.position]);
  });

  it('can be set on the Team page', async () => {
    await give(platform, null);
    const owner = await openConsole(platform, 'merchant_owner');
    const path = `/console/team/${people.merchant_selection.id}/positions`;
    expect((await owner.get('/console/team')).html).toMatch(new RegExp(`href="${path}[^>]*>All positions`));
    expect((await owner.get(path)).html).toContain('Locksmith interview (interview)');
    expect((await owner.post(path, { sees: 'chosen', position_ids: shown.position })).status).toBe(303);
    expect(await listed()).toEqual([shown.position]);
    expect((await owner.get('/console/team')).html).toMatch(new RegExp(`href="${path}[^>]*>1 position<`));
    expect((await owner.get('/console/activity')).html).toMatch(/Changed the positions of .*to 1 position/);
    expect((await owner.post(path, { sees: 'all' })).status).toBe(303);
    expect(await listed()).toBeNull();
    for (const id of [people.merchant.id, randomUUID(), 'no-id'])
      expect((await owner.get(`/console/team/${id}/positions`)).status).toBe(404);
  });
});
