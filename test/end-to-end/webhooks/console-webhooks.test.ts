import { openConsole } from '../../harness/identity/console';
import type { ConsoleClient, ConsolePage } from '../../harness/identity/console';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { makeEndpoint } from '../../harness/webhooks/webhook-calls';
import {
  deliveriesOf,
  endpointRow,
  putDelivery,
  putEndpoint,
  putReplay,
} from '../../harness/webhooks/webhook-rows';

let platform: Platform;
let owner: ConsoleClient;
let endpoint: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  owner = await openConsole(platform, 'merchant_owner');
});
beforeEach(async () => {
  await platform.database.rows('update webhook_endpoint set deleted_at = now() where deleted_at is null');
  endpoint = await putEndpoint(platform.database, { description: 'Recruiting system' });
});

const script = '<script>alert(1)</script>';
const shownScript = '&lt;script>alert(1)&lt;/script>';
const put = (more: Record<string, unknown> = {}) => putDelivery(platform.database, endpoint, more);
const secretOf = (page: ConsolePage) => /id="signing_secret"[^>]*value="([^"]+)"/.exec(page.html)?.[1] ?? '';
const text = ({ html }: ConsolePage) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
const newEndpoint = {
  url: 'https://example.com/hooks',
  events: 'interview_result',
  timeout_seconds: '30',
  description: 'Billing',
  enabled: 'on',
  headers: 'x-api-key: a-secret-of-theirs\nx-team: one',
};

describe('an endpoint that has had no delivery', () => {
  it('is shown as neither healthy nor failing', async () => {
    const page = text(await owner.get(`/console/endpoints/${endpoint}`));
    expect(page).toContain('No deliveries yet Nothing has been sent to this endpoint.');
    expect(text(await owner.get('/console/endpoints'))).toContain('No deliveries yet');
    await put({ state: 'acknowledged' });
    expect(text(await owner.get(`/console/endpoints/${endpoint}`))).toContain('Healthy Deliveries arrive.');
  });
});

describe('a delivery that waits at a paused endpoint', () => {
  it('has no next attempt in the past', async () => {
    const id = await put({ state: 'retried', attempts: 1, next_attempt_at: '2026-01-01T00:00:00Z' });
    expect(text(await owner.get(`/console/deliveries/${id}`))).toContain('Next attempt Jan 1, 2026');
    await platform.database.rows(
      `update webhook_endpoint set paused_reason = 'by_hand', paused_at = now() where id = $1`,
      [endpoint],
    );
    const page = text(await owner.get(`/console/deliveries/${id}`));
    expect(page).toContain('Next attempt After the endpoint is resumed');
    expect(page).not.toContain('Jan 1, 2026');
  });
});

describe('endpoints', () => {
  it('are created with a secret that is shown once, and header values that are never shown', async () => {
    const created = await owner.submit('/console/endpoints', newEndpoint);
    const secret = secretOf(created);
    expect([created.status, secret]).toEqual([200, expect.stringMatching(/^whsec_/)]);
    const id = /\/console\/endpoints\/([\w-]{36})$/.exec(created.url)?.[1] ?? '';
    const page = await owner.get(`/console/endpoints/${id}`);
    expect(text(page)).toContain('x-api-key: a-se…, x-team: …');
    const everywhere = [page, await owner.get('/console/endpoints'), await owner.get('/console/audit')];
    const stored = JSON.stringify(await platform.database.rows('select * from audit_entry'));
    const seen = everywhere.map(({ html }) => html).join('') + stored + platform.readLog();
    expect(seen).not.toContain(secret.slice(6));
    expect(seen).not.toContain('a-secret-of-theirs');
    expect(await endpointRow(platform.database, id)).toMatchObject({
      timeout_seconds: 30,
      description: 'Billing',
    });
  });

  it('are not created with a wrong field, and the form shows the error and keeps what was typed', async () => {
    for (const [fields, fault] of [
      [{ url: 'https://127.0.0.1.nip:99999/' }, 'URL'],
      [{ events: '' }, 'Events'],
      [{ timeout_seconds: '61' }, 'Timeout \\(seconds\\)'],
      [{ headers: 'x-api-key' }, 'Line 1 of the custom headers must'],
      [{ headers: 'x-a: 1\n\nx-a: 2' }, 'Line 3 of the custom headers repeats x-a'],
      [{ headers: 'host: example.com' }, 'Custom headers: host must not be set'],
    ] as const) {
      const typed = { ...newEndpoint, ...fields, description: `As typed ${script}` };
      const page = await owner.post('/console/endpoints', typed);
      expect([page.status, page.html]).toEqual([
        422,
        expect.stringMatching(`class="field-error" id="\\w+-error">${fault}`),
      ]);
      expect(page.html).toContain(`value="As typed ${shownScript}"`);
    }
  });

  it('are changed where fields differ, and custom headers only if new ones are sent or they are removed', async () => {
    const { id } = await makeEndpoint(platform, { custom_headers: { 'x-api-key': '1234567890123456' } });
    const fields = { url: 'https://example.com/webhooks', events: 'interview_result', timeout_seconds: '60' };
    const change = (more: Record<string, string>) =>
      owner.post(`/console/endpoints/${id}`, { ...fields, ...more });
    const saved = await change({ description: script });
    expect(text(await owner.follow(saved))).toContain('Changes saved.');
    const page = await owner.get(`/console/endpoints/${id}`);
    expect(page.html).not.toContain(script);
    expect(text(page)).toContain('x-api-key: 1234…');
    expect(text(page)).toContain('Disabled');
    await change({ headers: 'x-team: a team of a long name' });
    expect(text(await owner.get(`/console/endpoints/${id}`))).toContain('x-team: a te…');
    await change({ remove_headers: 'on' });
    expect((await endpointRow(platform.database, id)).custom_headers_sealed).toBeNull();
    expect((await change({ timeout_seconds: '0' })).status).toBe(422);
  });

  it('are paused, resumed, tested, given another secret and deleted', async () => {
    const { id, signing_secret } = await makeEndpoint(platform);
    const act = (name: string, fields: Record<string, string> = {}) =>
      owner.post(`/console/endpoints/${id}/${name}`, fields);
    expect(text(await owner.follow(await act('pause')))).toContain('Paused since');
    expect((await act('test')).status).toBe(422);
    expect(text(await owner.follow(await act('resume')))).toContain('Endpoint resumed.');
    const tested = await owner.follow(await act('test'));
    expect(tested.url).toMatch(/\/console\/deliveries\/[\w-]{36}$/);
    expect(text(tested)).toContain('Delivery of test');
    const sampled = await owner.follow(await act('test', { event: 'interview_failed' }));
    expect(text(sampled)).toContain('Sample of interview_failed');

    const rotated = await owner.submit(`/console/endpoints/${id}/rotate-secret`, { overlap_hours: '2' });
    expect(secretOf(rotated)).toMatch(/^whsec_/);
    expect(secretOf(rotated)).not.toBe(signing_secret);
    expect(text(rotated)).toMatch(/The previous secret stays valid until \w+ \d+, \d+, [\d:]+ ?\./);
    expect(secretOf(await owner.get(`/console/endpoints/${id}`))).toBe('');
    expect((await act('rotate-secret', { overlap_hours: '' })).status).toBe(422);

    expect((await owner.get(`/console/endpoints/${id}`)).html).toContain(
      '<dialog class="confirm" id="delete" popover ',
    );
    const deleted = await owner.follow(await act('delete'));
    expect(text(deleted)).toContain('Endpoint deleted. 2 pending deliveries were canceled.');
    expect((await owner.get(`/console/endpoints/${id}`)).status).toBe(404);
  });
});

describe('replays', () => {
  it('are counted first without a change, then started, shown with their progress, and cancelled', async () => {
    for (const state of ['gave_up', 'gave_up', 'acknowledged']) await put({ state });
    const filter = { endpoint_id: endpoint, state: 'gave_up', per_second: '7', since: '2026-01-15T09:30' };
    const before = await deliveriesOf(platform.database, endpoint);
    const counted = await owner.post('/console/replays', filter);
    expect([counted.status, text(counted)]).toEqual([
      200,
      expect.stringContaining('2 deliveries will be sent again'),
    ]);
    expect(await deliveriesOf(platform.database, endpoint)).toEqual(before);
    expect(text(await owner.get('/console/replays'))).toContain('No replays yet.');

    const form = Object.fromEntries(
      [...counted.html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
        ([, name, value]) => [String(name), String(value)],
      ),
    );
    expect(form).toMatchObject({ ...filter, counted: '2' });
    await put({ state: 'gave_up' });
    const started = await owner.follow(await owner.post('/console/replays/start', form));
    expect(text(started)).toContain('Replay of 3 deliveries started. The preview counted 2.');
    expect(text(started)).toContain(
      'Olivia Brandt Failed Recruiting system Since: Jan 15, 2026, 09:30:00 Running',
    );
    expect(text(started)).toContain('0 of 3 up to 7 per second');
    const again = await Promise.all([1, 2].map(() => owner.post('/console/replays/start', form)));
    expect(again.map(({ status }) => status)).toEqual([303, 303]);
    expect(await platform.database.rows('select matched from webhook_replay')).toEqual([{ matched: 3 }]);
    expect((await owner.post('/console/replays/start', filter)).status).toBe(422);
    const [, id = ''] = /\/console\/replays\/([\w-]{36})\/cancel/.exec(started.html) ?? [];
    expect(text(await owner.follow(await owner.post(`/console/replays/${id}/cancel`)))).toContain(
      'Replay canceled.',
    );
    const done = await putReplay(platform.database, { state: 'done' });
    expect((await owner.post(`/console/replays/${done}/cancel`)).status).toBe(409);
  });
});

describe('a platform admin at a merchant', () => {
  it('keeps the merchant in links, filters and forms', async () => {
    const id = await put({ state: 'gave_up' });
    const admin = await openConsole(platform, 'admin');
    const { merchant_id } = platform.stack;
    const list = await admin.get(`/console/deliveries?merchant_id=${merchant_id}&status=500`);
    expect(list.html).toContain(`<input type="hidden" name="merchant_id" value="${merchant_id}"/>`);
    expect(list.html).toContain(
      `/console/deliveries?status=500&amp;state=gave_up&amp;merchant_id=${merchant_id}`,
    );
    const page = await admin.get(`/console/deliveries/${id}?merchant_id=${merchant_id}`);
    const action = /method="post"\s+action="([^"]+retry[^"]*)"/.exec(page.html)?.[1] ?? '';
    const retried = await admin.post(action.replaceAll('&amp;', '&'));
    expect(retried.headers.get('location')).toBe(`/console/deliveries/${id}?merchant_id=${merchant_id}`);
  });
});

describe('a hiring manager', () => {
  it('sees everything without buttons, and every change is rejected', async () => {
    const id = await put({ state: 'gave_up' });
    const running = await putReplay(platform.database);
    const client = await openConsole(platform, 'merchant_selection');
    for (const path of ['deliveries', `deliveries/${id}`, 'endpoints', `endpoints/${endpoint}`, 'replays']) {
      const page = await client.get(`/console/${path}`);
      expect([path, page.status]).toEqual([path, 200]);
      expect(page.html.match(/method="post"\s+action="[^"]+"/g)).toEqual([
        'method="post" action="/console/sign-out"',
      ]);
    }
    for (const path of [
      `deliveries/${id}/retry`,
      'endpoints',
      ...['', '/pause', '/resume', '/test', '/rotate-secret', '/delete'].map(
        (act) => `endpoints/${endpoint}${act}`,
      ),
      'replays',
      'replays/start',
      `replays/${running}/cancel`,
    ])
      expect([
        path,
        (await client.post(`/console/${path}`, { ...newEndpoint, state: 'gave_up' })).status,
      ]).toEqual([path, 403]);
    expect(await deliveriesOf(platform.database, endpoint)).toMatchObject([{ state: 'gave_up', series: 1 }]);
  });
});
