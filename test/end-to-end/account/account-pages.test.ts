import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { openConsole } from '../../harness/identity/console';
import type { ConsoleClient } from '../../harness/identity/console';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { openLink } from '../../harness/taking/open-link';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
});

describe('the page Merchants', () => {
  it('lets a platform admin create a merchant, set its plan and add credits once for a form that is sent twice', async () => {
    const admin = await openConsole(platform, 'admin');
    expect((await admin.get('/console/merchants')).html).toContain('New merchant');
    const owner_email = `${randomUUID()}@bakery.example`;
    const fields = { name: 'Page Bakery', owner_email, subscription_type: 'Starter', time_zone: '' };
    const form_id = randomUUID();
    const wrong = await admin.post('/console/merchants/create', {
      ...fields,
      owner_email: 'nobody',
      form_id,
    });
    expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining('id="owner_email-error"')]);
    expect(wrong.html).toContain('value="Page Bakery"');

    const send = () => admin.post('/console/merchants/create', { ...fields, form_id });
    const made = await Promise.all([send(), send()]);
    const [place = '', again] = made.map(({ headers }) => headers.get('location') ?? '');
    expect([place, again]).toEqual([
      expect.stringMatching(/^\/console\/merchants\/account\?merchant_id=/),
      place,
    ]);
    const at = place.slice(place.indexOf('?'));
    const saved = await admin.post(`/console/merchants/account/update${at}`, {
      name: 'Page Bakery',
      subscription_type: 'Growth',
      subscription_status: 'active',
      credits_interview_monthly_limit: '50',
      credits_coaching_monthly_limit: '',
    });
    expect([saved.status, saved.html]).toEqual([
      422,
      expect.stringContaining('credits_coaching_monthly_limit-error'),
    ]);
    for (const subscription_status of ['actve', ''])
      expect(
        (
          await admin.post(`/console/merchants/account/update${at}`, {
            name: 'Page Bakery',
            subscription_type: 'Growth',
            subscription_status,
            credits_interview_monthly_limit: '50',
            credits_coaching_monthly_limit: '0',
          })
        ).html,
      ).toContain('subscription_status-error');
    await platform.call('merchant-create', {
      token: platform.stack.tokens.admin,
      body: { ...fields, name: `0 ${at.slice(-36)}`, owner_email: `x${owner_email}`, time_zone: 'UTC' },
    });
    expect((await admin.get(place)).html).toContain('value="Page Bakery"');
    const credits = {
      form_id: randomUUID(),
      bucket: 'extra',
      amount: '12.5',
      reason: 'Invoice 8',
      position_id: '',
    };
    for (let times = 0; times < 2; times += 1)
      expect((await admin.post(`/console/merchants/account/credits${at}`, credits)).status).toBe(303);
    const usage = await admin.get(`/console/usage${at}`);
    expect(usage.html.match(/Invoice 8/g)).toHaveLength(1);
    expect(usage.html).toContain('+12.5');
  });

  it('is only for choosing for everybody else', async () => {
    const operator = await openConsole(platform, 'operator');
    expect((await operator.get('/console/merchants')).html).not.toContain('New merchant');
    const owner = await openConsole(platform, 'merchant_owner');
    expect((await owner.get('/console/merchants/account')).status).toBe(403);
    const actions = ['create', 'account/update', 'account/credits'];
    for (const action of actions)
      expect((await owner.post(`/console/merchants/${action}`, {})).status).toBe(403);
  });
});

describe('the page Usage', () => {
  it('is for owners, and links a charge to the result that it paid for', async () => {
    const charge = async () => {
      const { body } = await platform.call('merchant-credit-list', { query: { bucket: 'monthly' } });
      return body['data'] as { amount: number }[];
    };
    const owner = await openConsole(platform, 'merchant_owner');
    const page = await owner.get('/console/usage?bucket=monthly');
    expect(page.status).toBe(200);
    expect((await owner.get('/console/usage?offset=zz')).status).toBe(200);
    for (const { amount } of await charge()) expect(page.html).toContain(String(Math.abs(amount)));
    expect((await (await openConsole(platform, 'merchant')).get('/console/usage')).status).toBe(403);
  });
});

describe('the logo', () => {
  const upload = async (client: ConsoleClient, file: Uint8Array, name = 'logo.png') => {
    const { html } = await client.get('/console/settings');
    const form = new FormData();
    form.set('csrf', /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '');
    form.set('logo', new Blob([new Uint8Array(file)]), name);
    return client.sendForm('/console/settings/logo', form);
  };
  const picture = (background: string) =>
    sharp({ create: { width: 600, height: 200, channels: 3, background } })
      .webp()
      .toBuffer();
  const startPage = async () => {
    const { body } = await platform.call('job-interview-register-users', {
      body: { interview_id: platform.stack.ids.active_interview, users: [{ email: 'logo@example.com' }] },
    });
    const [row] = body as unknown as { interview_url: string }[];
    return (await openLink(row?.interview_url ?? '')).html;
  };
  const addressOf = (html: string) => /<img class="logo" src="([^"]+)"/.exec(html)?.[1];

  it('is on the pages of candidates with the accent color, until it is removed', async () => {
    const owner = await openConsole(platform, 'merchant_owner');
    await platform.database.rows(`update merchant set accent_color = '#ffe000' where id = $1`, [
      platform.stack.merchant_id,
    ]);
    expect((await upload(owner, await picture('#c2410c'))).status).toBe(303);
    const first = addressOf((await owner.get('/console/settings')).html) ?? '';
    expect((await upload(owner, await picture('#1a56c4'))).status).toBe(303);
    const page = await startPage();
    const address = addressOf(page) ?? '';
    expect(address).not.toBe(first);
    for (const origin of [platform.stack.origin, platform.stack.portal_url]) {
      const served = await fetch(`${origin}${address}`);
      expect([
        served.status,
        served.headers.get('content-type'),
        served.headers.get('cache-control'),
      ]).toEqual([200, 'image/png', 'public, max-age=31536000, immutable']);
      expect(await sharp(await served.arrayBuffer()).metadata()).toMatchObject({ format: 'png', width: 384 });
      expect((await fetch(`${origin}${first}`)).status).toBe(404);
    }
    const [, style = ''] = /href="(\/brand\/ffe000\.css)"/.exec(page) ?? [];
    expect(await (await fetch(`${platform.stack.portal_url}${style}`)).text()).toContain(
      '--on-accent: #ffffff',
    );
    expect((await owner.post('/console/settings/logo/remove')).status).toBe(303);
    expect(addressOf(await startPage())).toBeUndefined();
    expect((await fetch(`${platform.stack.origin}${address}`)).status).toBe(404);
  });

  it('is rejected with a sentence if it is no picture, and before it is read if it is large', async () => {
    const owner = await openConsole(platform, 'merchant_owner');
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const refused = await upload(owner, svg, 'logo.svg');
    expect([refused.status, refused.html]).toEqual([
      422,
      expect.stringContaining('PNG, JPEG or WebP picture'),
    ]);
    expect((await upload(owner, Buffer.alloc(600_000))).status).toBe(422);
    const large = await upload(owner, Buffer.alloc(10_000_000));
    expect([large.status, large.html]).toEqual([413, expect.stringContaining('The file is too large')]);
    const recruiter = await openConsole(platform, 'merchant');
    expect((await upload(recruiter, await picture('#1a56c4'))).status).toBe(403);
  });
});
