import { readFileSync } from 'node:fs';
import { openConsole } from '../harness/console';
import type { ConsoleClient, ConsolePage } from '../harness/console';
import { startPlatform } from '../harness/platform';
import type { Platform } from '../harness/platform';
import { makeEndpoint } from '../harness/webhook-calls';
import {
  deliveriesOf,
  endpointRow,
  putAttempt,
  putDelivery,
  putEndpoint,
  putReplay,
  putResult,
  unknownId,
} from '../harness/webhook-rows';

let platform: Platform;
let owner: ConsoleClient;
let endpoint: string;
beforeAll(async () => {
  platform = await startPlatform({
    worker: false,
    api: { TEMPORAL_UI_URL: 'https://temporal.example.com/ui/', TEMPORAL_NAMESPACE: 'default' },
  });
  owner = await openConsole(platform, 'merchant_owner');
});
afterAll(() => platform.stop());
beforeEach(async () => {
  await platform.database.rows('update webhook_endpoint set deleted_at = now() where deleted_at is null');
  endpoint = await putEndpoint(platform.database, { description: 'Recruiting system' });
});

const script = '<script>alert(1)</script>';
const shownScript = '&#60;script&#62;alert(1)&#60;/script&#62;';
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

describe('the list of deliveries', () => {
  it('a long description: whole in the title of its link, and on the endpoint’s page', async () => {
    const description = 'word '.repeat(100).trim();
    const id = await putEndpoint(platform.database, { description });
    await putDelivery(platform.database, id);
    const { html } = await owner.get('/console/deliveries');
    expect(html).toContain(`<a class="one-line" title="${description}"`);
    expect(html).toContain(`>${description.slice(0, 79)}…</option>`);
    expect(text(await owner.get(`/console/endpoints/${id}`))).toContain(description);
  });

  it('is where one comes in, and says of each what happens next', async () => {
    const gaveUp = await put({ state: 'gave_up', attempts: 10, last_outcome: 'refused', last_status: 500 });
    await put({
      state: 'retried',
      attempts: 3,
      next_attempt_at: '2100-01-01T00:00:00Z',
      last_outcome: 'timeout',
    });
    await put({ state: 'queued' });
    const page = await owner.follow(await owner.get('/console'));
    expect(page.url).toBe(`${platform.stack.console_url}/deliveries`);
    expect(page.html).toContain(`/console/deliveries/${gaveUp}`);
    expect(text(page)).toContain('gave up HTTP 500 10 of 10 Nothing, unless it is retried');
    expect(text(page)).toMatch(/to be retried no answer in time 3 of 10 Attempt 4 of 10 in \d+ d/);
    expect(text(page)).toContain('Attempt 1 of 10 is due now');
    expect(text(page)).toContain('some fail Recruiting system , 1 to be retried, 1 queued.');
  });

  it('says why deliveries wait: endpoints that are paused, failing or turned off stand on top', async () => {
    const paused = await putEndpoint(platform.database, {
      description: `Paused ${script}`,
      paused_reason: 'gone',
      paused_at: '2026-01-15T09:30:00Z',
    });
    await putDelivery(platform.database, paused, { state: 'retried', attempts: 1 });
    await putEndpoint(platform.database, {
      url: 'https://failing.example/',
      failing_since: '2026-01-15T09:30:00Z',
    });
    const off = await putEndpoint(platform.database, { description: 'Off', enabled: false });
    await putDelivery(platform.database, off);
    const page = await owner.get('/console/deliveries');
    expect(page.html).not.toContain(script);
    const troubles = text(page).split('None of')[0] ?? '';
    expect(troubles).toContain('paused Paused');
    expect(troubles).toContain('it answered 410 Gone');
    expect(troubles).toContain('Every attempt has failed since 2026-01-15 09:30:00 UTC');
    expect(text(page)).toContain('Waits: its endpoint is paused (it answered 410 Gone)');
    expect(text(page)).toContain('Waits: its endpoint is turned off');
  });

  it('narrows by state, endpoint, event, result, outcome, status and time', async () => {
    const resultId = await putResult(platform.database);
    const wanted = await put({
      state: 'gave_up',
      event: 'interview_failed',
      result_id: resultId,
      last_outcome: 'refused',
      last_status: 503,
      created_at: '2026-01-15T09:30:00Z',
      id: '019bc0fd-89c0-7000-8000-000000000001',
    });
    const others = [await put(), await put({ state: 'gave_up', last_outcome: 'network' })];
    for (const query of [
      'state=gave_up&outcome=refused',
      `endpoint_id=${endpoint}&status=503`,
      'event=interview_failed',
      `result_id=${resultId}`,
      'until=2026-01-15T09:30:01',
      'since=2026-01-15T09:30&until=2026-01-15T09:31',
    ]) {
      const page = await owner.get(`/console/deliveries?${query}`);
      expect([query, page.status]).toEqual([query, 200]);
      expect(page.html).toContain(wanted);
      for (const other of others) expect(page.html).not.toContain(other);
    }
    const refused = await owner.get('/console/deliveries?status=9');
    expect([refused.status, refused.html]).toEqual([422, expect.stringContaining('role="alert">status')]);
  });

  it('pages through what matches, the filter kept', async () => {
    for (let count = 0; count < 51; count++) await put({ state: 'cancelled' });
    const page = await owner.get(`/console/deliveries?state=cancelled&endpoint_id=${endpoint}`);
    expect(page.html).toContain('1–50 of 51');
    const next = /rel="next" href="([^"]+)"/.exec(page.html)?.[1]?.replaceAll('&#38;', '&') ?? '';
    expect((await owner.get(next)).html).toContain('51–51 of 51');
  });
});

describe('the page of a delivery', () => {
  it('tells every attempt: phases, request, answer, error and who asked for it', async () => {
    const id = await put({ state: 'retried', attempts: 2, next_attempt_at: '2100-01-01T00:00:00Z' });
    const [{ id: profileId } = { id: '' }] = await platform.database.rows<{ id: string }>(
      `select id from profile where merchant_id = $1 and role = 'merchant_owner'`,
      [platform.stack.merchant_id],
    );
    await putAttempt(platform.database, id, {
      outcome: 'refused',
      status: 503,
      request_headers: '{"webhook-signature":"v1,…","x-api-key":"b194…"}',
      request_body: `{"candidate_name":"${script}"}`,
      response_headers: JSON.stringify({ 'x-evil': script }),
      response_body: `</pre>${script}`,
      is_truncated: true,
      peer_address: '93.184.215.14',
      dns_ms: 1.5,
      connect_ms: 10,
      tls_ms: 20,
      first_byte_ms: 60,
      total_ms: 100,
    });
    await putAttempt(platform.database, id, {
      attempt: 2,
      outcome: 'timeout',
      error: `No answer within 60 s. ${script}`,
      triggered_by: profileId,
    });
    const page = await owner.get(`/console/deliveries/${id}`);
    expect(page.status).toBe(200);
    expect(page.html).not.toContain(script);
    expect(page.html).toContain(`&#60;/pre&#62;${shownScript}`);
    expect(page.html).toContain(`x-evil: ${shownScript}`);
    const shown = text(page);
    expect(shown).toContain('The last attempt failed: no answer in time, No answer within 60 s');
    expect(shown).toContain('Attempt 3 of 10 in');
    expect(shown).toContain(
      'look-up 1.5 ms connect 10.0 ms TLS 20.0 ms until the answer began 60.0 ms the rest 8.5 ms total 100.0 ms',
    );
    expect(shown).toContain('More came: this is the beginning of it.');
    expect(shown).toContain('Asked for by Olivia Brandt');
    expect(shown.indexOf('Attempt 2 no answer')).toBeLessThan(shown.indexOf('Attempt 1 HTTP 503'));
    const link = `https://temporal.example.com/ui/namespaces/default/workflows/webhook-retries%2F${endpoint}`;
    expect(page.html).toContain(`href="${link}"`);
  });

  it('retry: one that gave up begins a new series, one that waits is due now, one that is due is left alone', async () => {
    const gaveUp = await put({ state: 'gave_up', attempts: 10 });
    const retried = await owner.post(`/console/deliveries/${gaveUp}/retry`);
    expect([retried.status, retried.headers.get('location')]).toEqual([303, `/console/deliveries/${gaveUp}`]);
    const after = await owner.follow(retried);
    expect(text(after)).toContain('It is queued again: series 2.');
    expect(after.html).not.toContain(`/deliveries/${gaveUp}/retry`);
    expect(await deliveriesOf(platform.database, endpoint)).toMatchObject([
      { state: 'queued', series: 2, attempts: 0 },
    ]);

    const waiting = await put({ state: 'retried', attempts: 2, next_attempt_at: '2100-01-01T00:00:00Z' });
    expect((await owner.get(`/console/deliveries/${waiting}`)).html).toContain('Try now instead of waiting');
    expect((await owner.post(`/console/deliveries/${waiting}/retry`)).status).toBe(303);

    const again = await owner.post(`/console/deliveries/${gaveUp}/retry`);
    expect([again.status, text(again)]).toEqual([422, expect.stringContaining('due already')]);
  });

  it('of an endpoint that is paused: leads there; of a deleted one: cannot be retried', async () => {
    const held = await putEndpoint(platform.database, { paused_reason: 'by_hand', paused_at: '2026-01-01' });
    const waiting = await putDelivery(platform.database, held);
    expect(text(await owner.get(`/console/deliveries/${waiting}`))).toMatch(
      /Waits: its endpoint is paused \(by hand\) ?\. See its endpoint to let it go on\./,
    );
    const gone = await putEndpoint(platform.database, { deleted_at: '2026-01-01' });
    const cancelled = await putDelivery(platform.database, gone, { state: 'cancelled' });
    const page = await owner.get(`/console/deliveries/${cancelled}`);
    expect(text(page)).toContain('Nothing: its endpoint was deleted');
    expect(page.html).not.toContain('/retry');
  });

  it('of another merchant, of another environment, of nobody: not found', async () => {
    const id = await put({ state: 'gave_up' });
    const other = await openConsole(platform, 'other_merchant_owner');
    const demo = await openConsole(platform, 'merchant_owner', 'demo');
    for (const [client, each] of [
      [other, id],
      [demo, id],
      [owner, unknownId],
    ] as const) {
      expect((await client.get(`/console/deliveries/${each}`)).status).toBe(404);
      expect((await client.post(`/console/deliveries/${each}/retry`)).status).toBe(404);
    }
    expect((await other.get(`/console/endpoints/${endpoint}`)).status).toBe(404);
    expect((await other.get('/console/deliveries')).html).not.toContain(id);
    expect(await deliveriesOf(platform.database, endpoint)).toMatchObject([{ state: 'gave_up', series: 1 }]);
  });
});

describe('endpoints', () => {
  it('created: the secret is shown once and nowhere else, header values never again', async () => {
    const created = await owner.post('/console/endpoints', newEndpoint);
    const secret = secretOf(created);
    expect([created.status, secret]).toEqual([200, expect.stringMatching(/^whsec_/)]);
    const id =
      /\/console\/endpoints\/([\w-]{36})">https:\/\/example.com\/hooks/.exec(created.html)?.[1] ?? '';
    const page = await owner.get(`/console/endpoints/${id}`);
    expect(text(page)).toContain('x-api-key: a-se…, x-team: …');
    const everywhere = [page, await owner.get('/console/endpoints'), await owner.get('/console/activity')];
    const stored = JSON.stringify(await platform.database.rows('select * from audit_entry'));
    const seen =
      everywhere.map(({ html }) => html).join('') + stored + readFileSync(platform.api.logFile, 'utf8');
    expect(seen).not.toContain(secret.slice(6));
    expect(seen).not.toContain('a-secret-of-theirs');
    expect(await endpointRow(platform.database, id)).toMatchObject({
      timeout_seconds: 30,
      description: 'Billing',
    });
  });

  it.each([
    [{ url: 'https://127.0.0.1.nip:99999/' }, 'url'],
    [{ events: '' }, 'events'],
    [{ timeout_seconds: '61' }, 'timeout_seconds'],
    [{ headers: 'x-api-key' }, 'Line 1 of the custom headers must be'],
    [{ headers: 'x-a: 1\n\nx-a: 2' }, 'Line 3 of the custom headers names x-a a second time'],
    [{ headers: 'host: example.com' }, 'custom_headers'],
  ])('created with %j: told above the form, which keeps what was typed', async (fields, fault) => {
    const page = await owner.post('/console/endpoints', {
      ...newEndpoint,
      ...fields,
      description: `As typed ${script}`,
    });
    expect([page.status, page.html]).toEqual([422, expect.stringContaining(`role="alert">${fault}`)]);
    expect(page.html).toContain(`value="As typed ${shownScript}"`);
  });

  it('changed: what differs, custom headers only where new ones are given or they are removed', async () => {
    const { id } = await makeEndpoint(platform, { custom_headers: { 'x-api-key': '1234567890123456' } });
    const fields = { url: 'https://example.com/webhooks', events: 'interview_result', timeout_seconds: '60' };
    const change = (more: Record<string, string>) =>
      owner.post(`/console/endpoints/${id}`, { ...fields, ...more });
    const saved = await change({ description: script });
    expect(text(await owner.follow(saved))).toContain('Saved: events, description, enabled.');
    const page = await owner.get(`/console/endpoints/${id}`);
    expect(page.html).not.toContain(script);
    expect(text(page)).toContain('x-api-key: 1234…');
    expect(text(page)).toContain('turned off');
    await change({ headers: 'x-team: a team of a long name' });
    expect(text(await owner.get(`/console/endpoints/${id}`))).toContain('x-team: a te…');
    await change({ remove_headers: 'on' });
    expect((await endpointRow(platform.database, id)).custom_headers_sealed).toBeNull();
    expect((await change({ timeout_seconds: '0' })).status).toBe(422);
  });

  it('paused, resumed, tested, its secret rotated, deleted', async () => {
    const { id, signing_secret } = await makeEndpoint(platform);
    const act = (name: string, fields: Record<string, string> = {}) =>
      owner.post(`/console/endpoints/${id}/${name}`, fields);
    expect(text(await owner.follow(await act('pause')))).toContain('Paused since');
    expect((await act('test')).status).toBe(422);
    expect(text(await owner.follow(await act('resume')))).toContain('what waited goes out');
    const tested = await owner.follow(await act('test'));
    expect(tested.url).toMatch(/\/console\/deliveries\/[\w-]{36}$/);
    expect(text(tested)).toContain('Delivery of test');

    const rotated = await act('rotate-secret', { overlap_hours: '2' });
    expect(secretOf(rotated)).toMatch(/^whsec_/);
    expect(secretOf(rotated)).not.toBe(signing_secret);
    expect(text(rotated)).toMatch(/The previous one ends \S+ \S+ UTC \(in [12] h\)/);
    expect(secretOf(await owner.get(`/console/endpoints/${id}`))).toBe('');
    expect((await act('rotate-secret', { overlap_hours: '' })).status).toBe(422);

    expect((await owner.get(`/console/endpoints/${id}`)).html).toContain(
      '<details class="confirm" id="delete">',
    );
    const deleted = await owner.follow(await act('delete'));
    expect(text(deleted)).toContain('The endpoint is deleted; 1 delivery that waited is cancelled.');
    expect((await owner.get(`/console/endpoints/${id}`)).status).toBe(404);
  });
});

describe('replays', () => {
  it('count first and change nothing, then start; progress is shown, and cancel ends it', async () => {
    for (const state of ['gave_up', 'gave_up', 'acknowledged']) await put({ state });
    const filter = { endpoint_id: endpoint, state: 'gave_up', per_second: '7', since: '2026-01-15T09:30' };
    const before = await deliveriesOf(platform.database, endpoint);
    const counted = await owner.post('/console/replays', filter);
    expect([counted.status, text(counted)]).toEqual([
      200,
      expect.stringContaining('2 deliveries would be sent again'),
    ]);
    expect(await deliveriesOf(platform.database, endpoint)).toEqual(before);
    expect(text(await owner.get('/console/replays'))).toContain('Nothing was replayed yet.');

    const form = Object.fromEntries(
      [...counted.html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
        ([, name, value]) => [String(name), String(value)],
      ),
    );
    expect(form).toMatchObject({ ...filter, counted: '2' });
    await put({ state: 'gave_up' });
    const started = await owner.follow(await owner.post('/console/replays/start', form));
    expect(text(started)).toContain('A replay of 3 deliveries has started. When counted, it was 2.');
    expect(text(started)).toContain(
      'Olivia Brandt gave up, of Recruiting system, since 2026-01-15T09:30:00Z running',
    );
    expect(text(started)).toContain('0 of 3, at most 7 a second');
    const again = await Promise.all([1, 2].map(() => owner.post('/console/replays/start', form)));
    expect(again.map(({ status }) => status)).toEqual([303, 303]);
    expect(await platform.database.rows('select matched from webhook_replay')).toEqual([{ matched: 3 }]);
    expect((await owner.post('/console/replays/start', filter)).status).toBe(422);
    const [, id = ''] = /\/console\/replays\/([\w-]{36})\/cancel/.exec(started.html) ?? [];
    expect(text(await owner.follow(await owner.post(`/console/replays/${id}/cancel`)))).toContain(
      'cancelled',
    );
    const done = await putReplay(platform.database, { state: 'done' });
    expect((await owner.post(`/console/replays/${done}/cancel`)).status).toBe(409);
  });

  it.each([
    [{}, 'endpoint_id'],
    [{ state: 'queued' }, 'state'],
    [{ state: 'gave_up', per_second: '0' }, 'per_second'],
    [{ state: 'gave_up', status: 'x' }, 'status'],
    [{ endpoint_id: unknownId }, 'endpoint_id'],
  ])('of %j: refused by name', async (fields, name) => {
    const page = await owner.post('/console/replays', fields);
    expect([page.status, page.html]).toEqual([422, expect.stringContaining(`role="alert">${name}`)]);
  });
});

describe('a hiring manager', () => {
  it('sees everything, finds no button, and every act is refused', async () => {
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
