import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { JWK } from 'jose';
import { makeConsoleLink, withAdminConnection } from '../../../db/platform/credentials';
import { createLinkTokens } from '../../../db/platform/link-tokens';
import { merchants, people } from '../../../local/seed/accounts';
import { createClient, openConsole, tokenOf } from '../../harness/identity/console';
import type { ConsoleClient } from '../../harness/identity/console';
import { peopleCalls } from '../../harness/people/people';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let team: ReturnType<typeof teamCalls>;
let owner: ConsoleClient;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  team = teamCalls(platform);
  owner = await openConsole(platform, 'merchant_owner');
});

const rowOf = (html: string, text: string) => html.split('<tr>').find((row) => row.includes(text)) ?? '';

describe('the team page', () => {
  it('withdraws an invitation after a confirmation, and its link then shows that it ended', async () => {
    const { profileId } = await team.invite('mistyped@example.com', 'merchant_owner');
    const page = await owner.get('/console/team?state=invited');
    const row = rowOf(page.html, 'mistyped@example.com');
    expect(row).toContain('>Invited<');
    expect(row).toMatch(
      /<button[^>]*popovertarget="withdraw-[^>]+aria-label="Withdraw: [^>]+>\s*Withdraw\s*</,
    );
    expect(row).toMatch(/name="state" value="invited"/);
    const done = await owner.post('/console/team/update', {
      profile_id: profileId,
      change: 'withdraw',
      state: 'invited',
    });
    expect([done.status, done.headers.get('location')]).toEqual([303, '/console/team?state=invited']);
    expect((await owner.follow(done)).html).toContain('Invitation withdrawn.');
    expect((await owner.get('/console/team')).html).not.toContain('mistyped@example.com');
    const link = await fetch(await team.invitationUrl(profileId), { headers: { 'accept-language': 'en' } });
    expect([link.status, await link.text()]).toEqual([410, expect.not.stringContaining('<form')]);
    expect(await team.accept(profileId)).toBe(410);
    // The person can be invited again at the same address, but the first invitation link stays revoked.
    expect(await team.invite('mistyped@example.com', 'merchant')).toEqual({ result: 'Invited', profileId });
    expect(await team.accept(profileId)).toBe(410);
    expect((await fetch(await team.invitationUrl(profileId))).status).toBe(410);
    expect(await team.accept(profileId, merchants.main.id, 1)).toBe(200);
    expect(await team.accept(profileId)).toBe(410);
    expect((await team.listed({ filter_text: 'mistyped' })).data).toMatchObject([
      { role: 'merchant', state: 'active' },
    ]);
  });

  it('invites a person once for a form that is sent twice, and says who was invited already', async () => {
    const fields = {
      email: 'new@team.example',
      name: 'Nia',
      type: 'mentor',
      platform_language_code: 'de',
      form_id: randomUUID(),
    };
    const invite = () => owner.post('/console/team/invite', fields);
    const [first, second] = await Promise.all([invite(), invite()]);
    expect([first.status, second.status]).toEqual([303, 303]);
    expect((await owner.follow(first)).html).toContain('Invitation to new@team.example queued.');
    expect((await team.listed({ filter_text: 'new@team' })).data).toMatchObject([
      { name: 'Nia', role: 'mentor', state: 'invited' },
    ]);
    const again = await owner.post('/console/team/invite', { ...fields, form_id: randomUUID() });
    expect([again.status, again.html]).toEqual([
      422,
      expect.stringMatching(/id="email-error">This person was invited already/),
    ]);
    expect(again.html).toContain('value="Nia"');
  });

  it('disables a person, whose session ends, and enables the person again', async () => {
    const { profileId } = await team.invite('colleague@example.com', 'merchant');
    await team.accept(profileId);
    const colleague = await team.signInAs(profileId);
    expect((await colleague.get('/console/access')).status).toBe(200);
    await owner.post('/console/team/update', { profile_id: profileId, change: 'disable' });
    expect((await colleague.get('/console/access')).headers.get('location')).toBe(
      '/console/sign-in?return_to=%2Fconsole%2Faccess',
    );
    expect((await (await team.signInAs(profileId)).get('/console/access')).status).toBe(303);

    await owner.post('/console/team/update', { profile_id: profileId, change: 'enable' });
    expect((await (await team.signInAs(profileId)).get('/console/access')).status).toBe(200);
  });

  it('returns 403 to everybody but owners, and is not in the menu of others', async () => {
    for (const person of ['merchant', 'merchant_selection'] as const) {
      const client = await openConsole(platform, person);
      const page = await client.get('/console/team');
      expect([page.status, page.html]).toEqual([
        403,
        expect.not.stringContaining(people.merchant_owner.email),
      ]);
      expect((await client.get('/console/results')).html).not.toContain('href="/console/team"');
      const act = await client.post('/console/team/update', {
        profile_id: people.user.id,
        change: 'disable',
      });
      expect(act.status).toBe(403);
    }
  });
});

/** Returns functions that invite people to a team, sign them in and list them. */
function teamCalls(platform: Platform) {
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
  const invitationUrl = async (profileId: string, merchantId = merchants.main.id, generation = 0) => {
    const keys = JSON.parse(readFileSync(platform.linkKeysFile, 'utf8')) as { keys: JWK[] };
    const links = await createLinkTokens(keys, platform.stack.portal_url);
    return links.accountUrl({ profileId, merchantId, generation });
  };
  const accept = async (profileId: string, merchantId = merchants.main.id, generation = 0) => {
    const url = await invitationUrl(profileId, merchantId, generation);
    const token = new URL(url).searchParams.get('invitation_token') ?? '';
    const response = await fetch(`${platform.stack.portal_url}/invitation/`, {
      method: 'POST',
      body: new URLSearchParams({ invitation_token: token }),
    });
    return response.status;
  };
  const signInAs = async (profileId: string) => {
    const client = createClient(platform.stack.origin);
    const link = await withAdminConnection(platform.database.adminUrl, (admin) =>
      makeConsoleLink(
        admin,
        { id: profileId, merchantId: null, role: 'user' },
        'production',
        platform.stack.origin,
      ),
    );
    await client.send('/console/enter', { token: tokenOf(link) });
    return client;
  };
  const listed = async (query: Record<string, string> = {}) =>
    (await platform.call('team-member-list', { query })).body as {
      data: { profile_id: string; email: string; role: string; state: string }[];
      pagination: { total: number };
    };
  return { invite, invitationUrl, accept, signInAs, listed };
}
