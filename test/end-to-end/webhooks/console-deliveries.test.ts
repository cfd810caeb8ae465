import { openConsole } from '../../harness/identity/console';
import type { ConsoleClient, ConsolePage } from '../../harness/identity/console';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import {
  deliveriesOf,
  putAttempt,
  putDelivery,
  putEndpoint,
  putLease,
  unknownId,
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
const text = ({ html }: ConsolePage) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

describe('the list of deliveries', () => {
  it('shows the next step of each delivery', async () => {
    const gaveUp = await put({ state: 'gave_up', attempts: 10, last_outcome: 'refused', last_status: 500 });
    await put({
      state: 'retried',
      attempts: 3,
      next_attempt_at: '2100-01-01T00:00:00Z',
      last_outcome: 'timeout',
    });
    await put({ state: 'queued' });
    const sent = await put({ state: 'queued', attempts: 1 });
    await putLease(platform.database, [sent], 1);
    const page = await owner.get('/console/deliveries');
    expect(page.html).toContain(`/console/deliveries/${gaveUp}`);
    expect(text(page)).toContain('Failed HTTP 500 10 of 10 Failed after 10 attempts');
    expect(text(page)).toMatch(/Retrying No response in time 3 of 10 Attempt 4 of 10 in \d+ d/);
    expect(text(page)).toContain('Attempt 1 of 10 is due now');
    expect(text(page)).toContain('Attempt 2 of 10 is being sent');
    expect(text(await owner.get(`/console/deliveries/${sent}`))).toContain('Attempt 2 of 10 is being sent.');
    expect(text(page)).toContain('Recruiting system Some failing 1 retrying, 2 queued');
  });

  it('lists endpoints that are paused, failing or disabled above the deliveries', async () => {
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
    const troubles = text(page).split('All deliveries')[0] ?? '';
    expect(troubles).toContain('Paused 1 retrying Since Jan 15');
    expect(troubles).toContain('it responded 410 Gone');
    expect(troubles).toContain('Failing None pending Since Jan 15, 2026, 09:30:00');
    expect(text(page)).toContain('Waiting: its endpoint is paused (it responded 410 Gone)');
    expect(text(page)).toContain('Waiting: its endpoint is disabled');
  });

  it('keeps the filter on all pages', async () => {
    for (let count = 0; count < 51; count++) await put({ state: 'cancelled' });
    const page = await owner.get(`/console/deliveries?state=cancelled&endpoint_id=${endpoint}`);
    expect(page.html).toContain('1–50 of 51');
    const next = /rel="next" href="([^"]+)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await owner.get(next)).html).toContain('51–51 of 51');
  });
});

describe('the page of a delivery', () => {
  it('shows every attempt with its phases, request, response, error and who requested it', async () => {
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
    expect(page.html).toContain(`&lt;/pre>${shownScript}`);
    expect(page.html).toContain(`x-evil: ${shownScript}`);
    const shown = text(page);
    expect(shown).toContain('The last attempt failed: No response in time, No answer within 60 s');
    expect(shown).toContain('Attempt 3 of 10 in');
    expect(shown).toContain(
      'DNS 1.5 ms Connect 10.0 ms TLS 20.0 ms Waiting (TTFB) 60.0 ms Download 8.5 ms Total 100.0 ms',
    );
    expect(shown).toContain('Truncated');
    expect(shown).toContain('Requested by Olivia Brandt');
    expect(shown.indexOf('Attempt 2 No response')).toBeLessThan(shown.indexOf('Attempt 1 HTTP 503'));
    const link = `https://temporal.example.com/ui/namespaces/default/workflows/webhook-retries%2F${endpoint}`;
    expect(page.html).toContain(`href="${link}"`);
  });

  it('has 20 attempts, and links to a page of its own for each whose request and response do not fit', async () => {
    const id = await put({ state: 'acknowledged', series: 3, attempts: 5 });
    const headers = JSON.stringify({ x: '<'.repeat(4_000) });
    for (let count = 0; count < 25; count += 1)
      await putAttempt(platform.database, id, {
        series: 1 + Math.floor(count / 10),
        attempt: 1 + (count % 10),
        outcome: 'acknowledged',
        status: 200,
        response_headers: headers,
        response_body: `answer ${count} ${'<'.repeat(16_000)}`,
      });
    const path = `/console/deliveries/${id}`;
    const first = await owner.get(path);
    // The headers and bodies consist mostly of '<', which takes four bytes in HTML ('&lt;').
    expect(first.html.length).toBeLessThan(4 * 65_536 + 40_000);
    expect(first.html.match(/<li class="attempt/g)).toHaveLength(20);
    expect(text(first)).toContain('1–20 of 25');
    expect([first.html.includes('answer 24 '), first.html.includes('answer 5 ')]).toEqual([true, false]);
    const next = await owner.get(/rel="next" href="([^"]+)"/.exec(first.html)?.[1] ?? '');
    expect(text(next)).toContain('21–25 of 25');
    expect(next.html).toContain('answer 4 ');
    const links = [...first.html.matchAll(/href="([^"]+attempt=[^"]+)"/g)].map(([, link]) => link ?? '');
    expect(links.at(-1)).toBe(`${path}?attempt=1.6`);
    const own = await owner.get(links.at(-1) ?? '');
    expect(own.html).toContain('answer 5 ');
    expect(own.html.match(/<li class="attempt/g)).toHaveLength(1);
    expect(own.html).toContain(`href="${path}">All attempts`);
    expect((await owner.get(`${path}?attempt=1.11`)).status).toBe(404);
  });

  it('links to the endpoint that is paused, and allows no retry if the endpoint was deleted', async () => {
    const held = await putEndpoint(platform.database, { paused_reason: 'by_hand', paused_at: '2026-01-01' });
    const waiting = await putDelivery(platform.database, held);
    expect(text(await owner.get(`/console/deliveries/${waiting}`))).toMatch(
      /Waiting: its endpoint is paused \(on request\) ?\. Go to the endpoint/,
    );
    const gone = await putEndpoint(platform.database, {
      deleted_at: '2026-01-01',
      url: 'https://hooks.example.org/a-secret-path',
      description: null,
    });
    const cancelled = await putDelivery(platform.database, gone, { state: 'cancelled' });
    const page = await owner.get(`/console/deliveries/${cancelled}`);
    expect(text(page)).toContain('Its endpoint was deleted');
    expect(page.html).not.toContain('/retry');
    // If the endpoint is deleted, the page and the list show the host of its URL but not the path.
    for (const shown of [page, await owner.get('/console/deliveries')]) {
      expect(text(shown)).toMatch(/hooks\.example\.org \(deleted\)/);
      expect(shown.html).not.toContain('a-secret-path');
    }
  });

  it('returns 404 for another merchant, another environment and an unknown id', async () => {
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
