import { merchants, people } from '../../../local/seed/accounts';
import { signIn } from '../../harness/identity/accounts';
import { peopleCalls } from '../../harness/people/people';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';

let platform: Operations;
let team: ReturnType<typeof teamCalls>;
beforeAll(async () => {
  platform = await openOperations();
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
});

/** Returns functions that invite people to a team and call the team's operations. */
function teamCalls(platform: Operations) {
  /** Invites a person with the token of the platform admin, because a service key cannot invite owners. */
  const invite = async (email: string, type: string, merchantId = merchants.main.id) => {
    const token = platform.stack.tokens.admin;
    const [row] = await peopleCalls(platform).invite(
      [{ email, type, name: `Name of ${email}` }],
      { merchant_id: merchantId },
      { token },
    );
    return { result: row?.result, profileId: row?.profile_id ?? '' };
  };
  const listed = async (query: Record<string, string> = {}) =>
    (await platform.call('team-member-list', { query })).body as {
      data: { profile_id: string; email: string; role: string; state: string }[];
      pagination: { total: number };
    };
  const update = (body: Record<string, unknown>, token?: string) =>
    platform.call('team-member-update', { body, ...(token === undefined ? {} : { token }) });
  return { invite, listed, update };
}
