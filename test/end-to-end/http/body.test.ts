import { eachRow } from '../../harness/each-row';
import type { CallOptions, Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
});

const limitBytes = 1_048_576;
const operation = 'job-interview-update';

/** Returns a body for an update that changes nothing. The body is padded to this many bytes. */
const unchanged = (bytes = 0) => {
  const body = { position_id: platform.stack.ids.active_interview, name: 'Backend engineer', padding: '' };
  return JSON.stringify({ ...body, padding: 'x'.repeat(Math.max(0, bytes - JSON.stringify(body).length)) });
};
const send = async (rawBody: string | Buffer, headers: Record<string, string> = {}, more: CallOptions = {}) =>
  platform.call(operation, { rawBody, headers, ...more });

describe('a body', () => {
  it('gets the error of the body from a service key and an admin, too', () =>
    eachRow(['nothing', 'malformed', 'over 1 MiB'], async (what) => {
      const rawBody = what === 'nothing' ? '' : what === 'malformed' ? '{' : unchanged(limitBytes + 1);
      for (const token of [platform.stack.service_key, platform.stack.tokens.admin]) {
        const { status, body } = await send(rawBody, {}, { token });
        expect([status, body.name]).toEqual([what === 'over 1 MiB' ? 413 : 422, undefined]);
        expect(body.error).toMatch(/^The body /);
      }
    }));
});

describe('a body of /auth/token', () => {
  it('returns 422 for a body that is no request', () =>
    eachRow(['', 'x', '{', '[]', 'null', '{"grant_type":5}', '{"a":"\\u0000"}'], async (body) => {
      const response = await fetch(`${platform.stack.origin}/auth/token`, { method: 'POST', body });
      expect(response.status).toBe(422);
    }));
});

describe('a reply', () => {
  it('is compressed for clients that accept it: pages, and assets of both origins', async () => {
    const { origin, portal_url } = platform.stack;
    const page = new URL('/docs/webhooks', origin);
    const assetOf = async (shown: URL) => {
      const [, asset = ''] = /"(\/[^"]+\.css)"/.exec(await (await fetch(shown)).text()) ?? [];
      return new URL(asset, shown);
    };
    const assets = [await assetOf(page), await assetOf(new URL('/nothing', portal_url))];
    for (const url of [page, ...assets])
      for (const encoding of ['br', 'gzip']) {
        const { headers } = await fetch(url, { headers: { 'accept-encoding': encoding } });
        expect([url.href, headers.get('content-encoding')]).toEqual([url.href, encoding]);
      }
  });
});
