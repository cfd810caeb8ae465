import { people } from '../../../local/seed/accounts';
import { signIn } from '../../harness/identity/accounts';
import { openConsole } from '../../harness/identity/console';
import { teamCalls } from '../../harness/identity/team-calls';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let team: ReturnType<typeof teamCalls>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  team = teamCalls(platform);
});

describe('team-member-list', () => {
  it('returns people with role and state, filtered and in pages', async () => {
    const all = await team.listed({ limit: '1000' });
    const shown = all.data.map(({ email, role, state }) => [email, role, state]);
    expect(shown).toContainEqual([people.merchant_owner.email, 'merchant_owner', 'active']);
    expect(shown).toContainEqual([people.user.email, 'user', 'active']);
    expect(all.data.map(({ profile_id }) => profile_id)).not.toContain(people.candidate.id);
    expect(all.data[0]?.role).toBe('merchant_owner');
    await team.invite('pending@example.com', 'merchant');
    expect((await team.listed({ state: 'invited', filter_text: 'PENDING@' })).data).toMatchObject([
      { email: 'pending@example.com', state: 'invited', role: 'merchant' },
    ]);
    expect(await team.listed({ role: 'merchant_selection', limit: '1', offset: '50' })).toMatchObject({
      data: [],
      pagination: { total: 1, limit: 1, offset: 50, has_more: false },
    });
  });

  it('shows the last sign-in of the merchant’s own people only', async () => {
    await openConsole(platform, 'merchant');
    const ownList = await team.listed({ filter_text: people.merchant.email });
    expect(ownList.data).toMatchObject([{ is_home: true, last_sign_in_at: expect.stringMatching(/Z$/) }]);
    await openConsole(platform, 'operator');
    const token = (await signIn(platform, 'sub_merchant_owner')).access_token;
    const { body } = await platform.call('team-member-list', {
      token,
      query: { filter_text: people.operator.email },
    });
    expect(body['data']).toMatchObject([{ is_home: false, last_sign_in_at: null }]);
  });
});

describe('team-member-update', () => {
  it('rejects the current token after a change of role, and a new token has the new role', async () => {
    const { access_token: token } = await signIn(platform, 'merchant');
    expect((await team.update({ profile_id: people.merchant.id, role: 'merchant_selection' })).body).toEqual({
      profile_id: people.merchant.id,
      updated_fields: ['role'],
      live_service_keys: expect.any(Number),
    });
    expect((await platform.call('merchant-status', { token })).status).toBe(401);
    expect(
      (await team.update({ profile_id: people.merchant.id, role: 'merchant_selection' })).body,
    ).toMatchObject({
      updated_fields: [],
    });
    expect((await team.update({ profile_id: people.merchant.id, role: 'merchant' })).status).toBe(200);
    expect(
      await platform.database.rows(
        `select act, actor_id, details from audit_entry where subject_id = $1 order by id`,
        [people.merchant.id],
      ),
    ).toEqual([
      {
        act: 'team-member-role',
        actor_id: people.merchant_owner.id,
        details: { from: 'merchant', to: 'merchant_selection' },
      },
      {
        act: 'team-member-role',
        actor_id: people.merchant_owner.id,
        details: { from: 'merchant_selection', to: 'merchant' },
      },
    ]);
  });

  it.each([
    [{}, 'profile_id'],
    [{ profile_id: people.user.id }, undefined],
    [{ profile_id: people.user.id, withdraw: false }, undefined],
    [{ profile_id: people.user.id, role: 'admin' }, 'role'],
    [{ profile_id: people.user.id, role: 'candidate' }, 'role'],
    [{ profile_id: people.user.id, withdraw: true, disabled: false }, 'withdraw'],
    [{ profile_id: people.user.id, disabled: 'yes' }, 'disabled'],
  ])('returns for %j a 422 for %s', async (body, name) => {
    const reply = await team.update(body);
    expect([reply.status, reply.body.name]).toEqual([422, name]);
  });

  it('returns 404 for a stranger and 409 for the last owner', async () => {
    expect((await team.update({ profile_id: people.other_merchant.id, disabled: true })).status).toBe(404);
    const { access_token: token } = await signIn(platform, 'sub_merchant_owner');
    const last = await team.update({ profile_id: people.sub_merchant_owner.id, disabled: true }, token);
    expect([last.status, last.body.error]).toEqual([409, expect.stringContaining('last owner')]);
  });
});
