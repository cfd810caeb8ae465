import { openSession, withAdmin } from '../../../db/platform/credentials';
import { merchants, people } from '../../../local/seed/accounts';
import { signIn } from '../../harness/identity/accounts';
import { openConsole } from '../../harness/identity/console';
import type { ConsoleClient } from '../../harness/identity/console';
import { teamCalls } from '../../harness/identity/team-calls';
import { peopleCalls } from '../../harness/people/people';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let calls: ReturnType<typeof peopleCalls>;
let team: ReturnType<typeof teamCalls>;
let owner: ConsoleClient;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  calls = peopleCalls(platform);
  team = teamCalls(platform);
  owner = await openConsole(platform, 'merchant_owner');
});

const rowOf = (html: string, text: string) => html.split('<tr>').find((row) => row.includes(text)) ?? '';

describe('a person whom another merchant invited first', () => {
  it('works for the merchant whose invitation the person accepts', async () => {
    const email = 'ceo@victim.example';
    const { profileId } = await team.invite(email, 'user', merchants.other.id);
    expect(await team.invite(email, 'merchant_owner')).toEqual({ result: 'SubMerchantAdded', profileId });
    expect(await team.accept(profileId)).toBe(200);
    const client = await team.signInAs(profileId);
    const page = await client.get('/console/team');
    expect(page.html).toMatch(/<strong>Northwind Talent<\/strong>[^]*\(owner\)/);
    // The owner of the merchant that invited the person first cannot see the person's sessions.
    const stranger = await openConsole(platform, 'other_merchant_owner');
    expect((await stranger.get('/console/access')).html).not.toContain(email);
  });

  it('enters the console with a team role, although the home makes the person a learner', async () => {
    const email = 'learner@victim.example';
    const { profileId } = await team.invite(email, 'user', merchants.other.id);
    expect(await team.accept(profileId, merchants.other.id)).toBe(200);
    await team.invite(email, 'merchant');
    const client = await team.signInAs(profileId);
    const page = await client.get('/console/access');
    expect(page.html).toMatch(/<strong>Northwind Talent<\/strong>[^]*\(recruiter\)/);
    expect((await client.get('/console/merchants')).html).not.toContain('Contoso');
  });

  it('stays at its merchant when the home disables, promotes and enables the person', async () => {
    const email = 'redirected@victim.example';
    const { profileId } = await team.invite(email, 'user', merchants.other.id);
    expect(await team.accept(profileId, merchants.other.id)).toBe(200);
    await team.invite(email, 'merchant');
    const home = (await signIn(platform, 'other_merchant_owner')).access_token;
    const changeAtHome = async (what: Record<string, unknown>) =>
      expect((await team.update({ profile_id: profileId, ...what }, home)).status).toBe(200);
    await changeAtHome({ disabled: true });
    await changeAtHome({ role: 'merchant' });
    const { access_token: token } = await withAdmin(platform.database.adminUrl, (admin) =>
      openSession(admin, { id: profileId, merchantId: merchants.other.id, role: 'merchant' }, 'production', {
        signingKeys: platform.signingKeysFile,
        issuer: platform.stack.origin,
      }),
    );
    const client = await team.signInAs(profileId);
    const expectHere = async (label: string) => {
      expect((await platform.call('merchant-status', { token })).body['merchant_id']).toBe(merchants.main.id);
      expect((await client.get('/console/access')).html).toMatch(/<strong>Northwind Talent<\/strong>/);
      await client.post('/console/access/sessions/create', { label });
      expect(
        await platform.database.rows(
          `select merchant_id from audit_entry where act = 'session-create' and details ->> 'label' = $1`,
          [label],
        ),
      ).toEqual([{ merchant_id: merchants.main.id }]);
    };
    await expectHere('Before');
    await changeAtHome({ disabled: false });
    await expectHere('After');
    // The person can still open the console of the merchant that invited the person first (the home merchant). The
    // links on its pages contain the id of this merchant.
    const page = await client.get(`/console/access?merchant_id=${merchants.other.id}`);
    expect(page.html).toMatch(/<strong>Contoso Retail<\/strong>/);
    expect(page.html).toContain(`href="/console/activity?merchant_id=${merchants.other.id}"`);
    // The home merchant changes the person's role and then withdraws the person. The person's sessions at the main
    // merchant still work.
    await changeAtHome({ role: 'mentor' });
    await changeAtHome({ withdraw: true });
    await expectHere('Last');
  });
});

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
    expect((await calls.invite([{ email: 'colleague@example.com', type: 'merchant' }]))[0]).toMatchObject({
      result: 'Error: The account with this email is disabled.',
    });
    await owner.post('/console/team/update', { profile_id: profileId, change: 'enable' });
    expect((await (await team.signInAs(profileId)).get('/console/access')).status).toBe(200);
  });

  it('shows the error of the operation', async () => {
    const sub = await openConsole(platform, 'sub_merchant_owner');
    const page = await sub.post('/console/team/update', {
      profile_id: people.sub_merchant_owner.id,
      change: 'disable',
      state: 'active',
      filter_text: people.sub_merchant_owner.email,
    });
    // The page keeps the filter of the list.
    expect(page.html).toMatch(/aria-current="true"\s*>Active</);
    expect(page.html).toContain(`value="${people.sub_merchant_owner.email}"`);
    expect([page.status, page.html]).toEqual([
      409,
      expect.stringContaining('the last owner who can sign in'),
    ]);
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

describe('an owner who is removed', () => {
  it('loses the sessions that it opened for colleagues, and the page names the keys that it created', async () => {
    const { profileId } = await team.invite('second-owner@example.com', 'merchant_owner');
    await team.accept(profileId);
    const second = await team.signInAs(profileId);
    const form = await second.submit('/console/access/sessions/create', {
      label: 'Importer',
      profile_id: people.merchant_owner.id,
    });
    await second.submit('/console/access/keys/create', { name: 'Import of the second owner' });
    const valueOf = (id: string) => new RegExp(`id="${id}"[^>]*value="([^"]+)"`).exec(form.html)?.[1] ?? '';
    const [token, refresh_token] = [valueOf('access_token'), valueOf('refresh_token')];
    expect((await platform.call('merchant-status', { token })).status).toBe(200);

    const row = rowOf((await owner.get('/console/team')).html, 'second-owner@example.com');
    expect(row).toContain('1 live service key created by this person still works.');
    const done = await owner.post('/console/team/update', { profile_id: profileId, change: 'remove' });
    expect((await owner.follow(done)).html).toContain(
      'Person removed from the team. 1 live service key created by this person still works.',
    );
    const refreshed = await fetch(`${platform.stack.origin}/auth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token }),
    });
    expect(refreshed.status).toBe(401);
    expect((await platform.call('merchant-status', { token })).status).toBe(401);
  });
});

describe('an invitation of an admin or of a disabled person of another merchant', () => {
  it('gets the same error in both cases', async () => {
    const { profileId } = await team.invite('shut@example.com', 'user', merchants.other.id);
    await platform.database.rows('update profile set disabled_at = now() where id = $1', [profileId]);
    const rows = await calls.invite([
      { email: people.admin.email, type: 'merchant' },
      { email: 'shut@example.com', type: 'merchant' },
    ]);
    for (const { result, profile_id } of rows)
      expect([result, profile_id]).toEqual(['Error: This person cannot be invited.', null]);
  });
});
