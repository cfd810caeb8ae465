import { randomUUID } from 'node:crypto';
import { merchants, people } from '../../../local/seed/accounts';
import { openConsole } from '../../harness/identity/console';
import { give, makeSide, names } from '../../harness/identity/position-sides';
import type { Side } from '../../harness/identity/position-sides';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

/*
 * Tests how owners restrict a hiring manager to positions, and what that person can then read with operations and on pages
 * (docs/identity.md#positions-of-hiring-managers). test/db/identity/position-policies.test.ts tests the tables.
 */

let platform: Platform;
let shown: Side;
let hidden: Side;

beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  shown = await makeSide(platform, 'Gardener');
  hidden = await makeSide(platform, 'Locksmith');
  await platform.database.rows('update merchant set reports_enabled = true where id = $1', [
    merchants.main.id,
  ]);
});

describe('a hiring manager with one position', () => {
  beforeAll(async () => {
    expect(await give(platform, [shown.position])).toMatchObject({
      status: 200,
      body: { updated_fields: ['position_ids'] },
    });
  });

  it('sees pages without the other positions', async () => {
    const [limited, whole] = [
      await openConsole(platform, 'merchant_selection'),
      await openConsole(platform, 'merchant'),
    ];
    for (const [path, isOfPosition] of [
      ['/console/results', true],
      ['/console/deliveries', true],
      [`/console/results/${hidden.result}`, true],
      ['/console/reports', false],
      ['/console/support', false],
      ['/console/replays', false],
    ] as const) {
      expect([path, names((await limited.get(path)).html, hidden)]).toEqual([path, false]);
      if (isOfPosition) expect([path, names((await whole.get(path)).html, hidden)]).toEqual([path, true]);
    }
    expect((await limited.get(`/console/results/${hidden.result}`)).status).toBe(404);
    expect((await limited.get('/console/audit')).status).toBe(403);
    expect((await limited.get(`/console/results/${shown.result}`)).status).toBe(200);
  });
});

const listed = async () => {
  const { body } = await platform.call('team-member-list', { query: { role: 'merchant_selection' } });
  const rows = body['data'] as { profile_id: string; position_ids: string[] | null }[];
  return rows.find(({ profile_id }) => profile_id === people.merchant_selection.id)?.position_ids;
};

describe('position_ids', () => {
  beforeAll(() => give(platform, null));

  it('can be set on the Team page', async () => {
    await give(platform, null);
    const owner = await openConsole(platform, 'merchant_owner');
    const path = `/console/team/${people.merchant_selection.id}/positions`;
    expect((await owner.get('/console/team')).html).toMatch(new RegExp(`href="${path}[^>]*>All positions`));
    expect((await owner.get(path)).html).toContain('Locksmith interview (interview)');
    expect((await owner.post(path, { sees: 'chosen', position_ids: shown.position })).status).toBe(303);
    expect(await listed()).toEqual([shown.position]);
    expect((await owner.get('/console/team')).html).toMatch(new RegExp(`href="${path}[^>]*>1 position<`));
    expect((await owner.get('/console/audit')).html).toMatch(/Changed the positions of .*to 1 position/);
    expect((await owner.post(path, { sees: 'all' })).status).toBe(303);
    expect(await listed()).toBeNull();
    for (const id of [people.merchant.id, randomUUID(), 'no-id'])
      expect((await owner.get(`/console/team/${id}/positions`)).status).toBe(404);
  });
});
