import { buildOpenApiDocument } from '../../../api/platform/openapi/document';
import { buildWebhooksDocument } from '../../../api/webhooks/openapi-webhooks';
import { eachOf } from '../../harness/each-row';
import { allOperations } from '../../harness/platform/operation-inputs';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
});

describe('/v1/openapi', () => {
  it('is public, as is the document of the webhooks', async () => {
    const { base_url } = platform.stack;
    const published = async (name: string) => (await fetch(`${base_url}/${name}`)).json();
    expect(await published('openapi')).toEqual(buildOpenApiDocument(allOperations, base_url));
    expect(await published('openapi-webhooks')).toEqual(buildWebhooksDocument(base_url));
  });

  it('has operations that all return 401 without a token', async () => {
    await eachOf(
      allOperations.map(({ name, method }) => ({ name, method })),
      async ({ name, method }) =>
        expect((await fetch(`${platform.stack.base_url}/${name}`, { method })).status).toBe(401),
    );
  });
});

describe('/llms.txt', () => {
  it('links pages that exist, and names every operation', async () => {
    const { origin } = platform.stack;
    const response = await fetch(`${origin}/llms.txt`);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const text = await response.text();
    expect(text).toMatch(/^# .*\n\n> /);
    const links = [...text.matchAll(/\]\((\S+)\)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(20);
    await eachOf(links, async (link) => expect([link, (await fetch(link)).status]).toEqual([link, 200]));
    expect(allOperations.filter(({ name }) => !text.includes(`/v1/${name}\``))).toEqual([]);
  });
});

describe.each([
  ['/docs/reference', '/v1/openapi'],
  ['/docs/reference/webhooks', '/v1/openapi-webhooks'],
])('%s', (place, shown) => {
  it('shows the document with scripts and styles of this host only', async () => {
    const { origin } = platform.stack;
    const page = await fetch(`${origin}${place}`);
    const html = await page.text();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const links = [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, link]) => link ?? '');
    expect(links.length).toBeGreaterThan(2);
    for (const link of links) {
      expect(link).toMatch(/^\/[^/]/);
      expect([link, (await fetch(`${origin}${link}`)).status]).toEqual([link, 200]);
    }
    expect(html).toContain(`data-document="${shown}"`);
    expect(html).not.toMatch(/<script>|<style>| on\w+=/);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/https?:|\*/);
  });
});
