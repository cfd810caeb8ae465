import { randomUUID } from 'node:crypto';
import { people } from '../../../local/seed/accounts';
import { openConsole } from '../../harness/identity/console';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
});

describe('the merchant', () => {
  it('is the operator’s home or a merchant that gave access, with the role there, and no other', async () => {
    const client = await openConsole(platform, 'operator');
    const { sub_merchant_id: sub, other_merchant_id: other } = platform.stack;
    const choice = await client.get('/console/merchants');
    expect(choice.html).toContain('Northwind Labs');
    expect(choice.html).not.toContain('Contoso');
    const page = await client.get(`/console/access?merchant_id=${sub}`);
    expect(page.html).toMatch(/<strong>Northwind Labs<\/strong>/);
    expect(page.html).toContain(`href="/console/settings?merchant_id=${sub}"`);
    expect(page.html).toContain(`action="/console/access/sessions/create?merchant_id=${sub}"`);
    await client.post(`/console/access/sessions/create?merchant_id=${sub}`, { label: 'At the labs' });
    const acts = await platform.database.rows(
      `select merchant_id, actor_id, actor_role from audit_entry where details ->> 'label' = 'At the labs'`,
    );
    expect(acts).toEqual([{ merchant_id: sub, actor_id: people.operator.id, actor_role: 'merchant' }]);
    expect((await client.get(`/console/access?merchant_id=${other}`)).status).toBe(403);
    expect(
      (await client.post(`/console/access/sessions/create?merchant_id=${other}`, { label: 'x' })).status,
    ).toBe(403);
  });

  it('must be chosen by a platform admin first, and an unknown one is an error', async () => {
    const client = await openConsole(platform, 'admin');
    const home = await client.follow(await client.get('/console'));
    expect([home.status, home.headers.get('location')]).toEqual([303, '/console/merchants']);
    expect((await client.get('/console/merchants?filter_text=CONTO')).html).toMatch(/Contoso Retail/);
    expect((await client.get('/console/merchants?filter_text=CONTO')).html).not.toMatch(/Northwind/);
    const { other_merchant_id: other } = platform.stack;
    const made = await client.submit(`/console/access/keys/create?merchant_id=${other}`, {
      name: 'By support',
    });
    const token = /id="service_key"[^>]*value="([^"]+)"/.exec(made.html)?.[1] ?? '';
    expect((await platform.call('merchant-status', { token, query: { merchant_id: other } })).status).toBe(
      200,
    );
    for (const id of [randomUUID(), 'x', '']) {
      const page = await client.get(`/console/access?merchant_id=${id}`);
      expect([page.status, page.html]).toEqual([422, expect.stringContaining('merchant_id')]);
    }
    expect((await client.post('/console/access/keys/create', { name: 'Nobody’s' })).status).toBe(422);
    // The merchant's own team can see that a platform admin made the change, but not which admin.
    const theirs = await openConsole(platform, 'other_merchant_owner');
    const activity = (await theirs.get('/console/audit')).html;
    expect(activity).toContain('platform admin');
    expect(activity).not.toContain(people.admin.name);
    const owner = await openConsole(platform, 'merchant_owner');
    expect((await owner.get('/console/audit')).html).not.toContain('By support');
  });
});
