import { randomBytes, sign } from 'node:crypto';
import { generateServiceKey } from '../../../db/platform/tokens';
import { merchants } from '../../../local/seed/accounts';
import { learnerCookie, makeDirectory, openPage } from '../../harness/catalogue/catalogue-rows';
import { makeKey, signIn } from '../../harness/identity/accounts';
import { openConsole } from '../../harness/identity/console';
import { errorBody } from '../../harness/platform/error-body';
import { startPlatform } from '../../harness/platform/start-platform';
import type { OwnPlatform } from '../../harness/platform/start-platform';

let platform: OwnPlatform;
beforeAll(async () => {
  platform = await startPlatform({
    worker: false,
    api: { ADDRESS_LIMIT_PER_MINUTE: '10', RATE_LIMIT_PER_MINUTE: '600', TRUSTED_PROXIES: '127.0.0.0/8' },
  });
  await makeDirectory(platform.database, 'a', {});
});

/**
 * Returns the header in which a proxy sends the client's address. Each call returns a new address, so that tests do
 * not share a limit.
 */
const newAddress = (): Record<string, string> => ({
  'x-forwarded-for': `10.${[...randomBytes(3)].join('.')}`,
});
type Headers = Record<string, string>;
const list = (token: string, headers: Headers) =>
  platform.call('interview-template-list', { token, headers });
const madeUp = () => generateServiceKey('production');
const repeat = async (count: number, ask: () => Promise<{ status: number }>): Promise<number[]> => {
  const statuses: number[] = [];
  while (statuses.length < count) statuses.push((await ask()).status);
  return statuses;
};
const ask = (path: string, headers: Headers, more: RequestInit = {}) =>
  fetch(`${platform.stack.origin}${path}`, { redirect: 'manual', ...more, headers });
/** Makes calls that fail until the address in `headers` has reached its limit. */
const useUp = async (headers: Headers) => {
  await repeat(5, () => list(madeUp(), headers));
  expect((await list(madeUp(), headers)).status).toBe(429);
};

describe('credentials on /v1 that fail', () => {
  it('count two points of their address, then get 429 with Retry-After and RateLimit headers', async () => {
    const here = newAddress();
    expect(await repeat(5, () => list(madeUp(), here))).toEqual([401, 401, 401, 401, 401]);
    const over = await list(madeUp(), here);
    expect(over.status).toBe(429);
    expect(over.body).toEqual(errorBody('rate_limited', undefined, expect.stringContaining('This address')));
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(over.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(over.headers.get('ratelimit-limit')).toBe('10');
    expect(over.headers.get('ratelimit-remaining')).toBe('0');
    expect((await list(madeUp(), newAddress())).status).toBe(401);
  });

  it.each([
    ['a malformed key', 'sk_production_short'],
    ['a token that was not issued here', 'a.b.c'],
    ['the same made-up key', madeUp()],
  ])('count when they are %s', async (_what, token) => {
    const here = newAddress();
    expect(await repeat(6, () => list(token, here))).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('count one /64 network of IPv6 as one address', async () => {
    const at = (address: string) => ({ 'x-forwarded-for': address });
    await useUp(at('2001:db8:0:1::1'));
    expect((await list(madeUp(), at('2001:db8:0:1:ffff::2'))).status).toBe(429);
    expect((await list(madeUp(), at('2001:db8:0:2::1'))).status).toBe(401);
  });

  it.each([
    ['another port', '203.0.113.4', ['203.0.113.4:1000', '203.0.113.4:1001', '::ffff:203.0.113.4']],
    ['another port of IPv6', '2001:db8:1::1', ['[2001:db8:1::1]:1000', '[2001:db8:1::1]:1001', '[2001:db8:1::2]']],
    ['something that is no address', 'abc1, 127.0.0.9', ['abc2', '203.0.113.4:x', '256.1.1.1', 'unknown', '127.0.0.9:80'].map((hop) => `${hop}, 127.0.0.9`)],
    ['an inner proxy with a port', '203.0.113.6', ['203.0.113.6, 127.0.0.8:443', '203.0.113.6:1, 127.0.0.8:443']],
    ['something sent before a proxy', '1.1.1.1, 203.0.113.5', ['1.1.1.2, 203.0.113.5:80', 'x, 203.0.113.5, 127.0.0.9']],
  ])('count the same for %s', async (_what, first, others) => {
    await useUp({ 'x-forwarded-for': first });
    for (const other of others) expect((await list(madeUp(), { 'x-forwarded-for': other })).status).toBe(429);
  }); // prettier-ignore
});

describe('credentials on /v1 that are valid', () => {
  it('refund their points, also when a service key names no merchant', async () => {
    const here = newAddress();
    for (let index = 0; index < 12; index++) {
      const token =
        index % 2
          ? await makeKey(platform, merchants.main.id)
          : (await signIn(platform, 'merchant')).access_token;
      expect((await list(token, here)).status).toBe(index % 2 ? 422 : 200);
    }
  });

  it('pass together when they are used for the first time', async () => {
    const here = newAddress();
    const { access_token: token } = await signIn(platform, 'merchant');
    const replies = await Promise.all(Array.from({ length: 30 }, () => list(token, here)));
    expect(replies.map(({ status }) => status)).toEqual(Array(30).fill(200));
  });

  it('are not affected by their address once they are proven', async () => {
    const here = newAddress();
    const { access_token: known } = await signIn(platform, 'merchant');
    expect((await list(known, here)).status).toBe(200);
    await useUp(here);
    expect((await list(known, here)).status).toBe(200);
    expect((await list((await signIn(platform, 'merchant')).access_token, here)).status).toBe(429);
  });
});

describe('the console', () => {
  it('limits visitors who are not signed in, with a page', async () => {
    const here = newAddress();
    // The page names its styles and scripts as they were built.
    const page = await (await ask('/console/sign-in', newAddress())).text();
    const assets = [...page.matchAll(/(?:src|href)="(\/[^"]+\.(?:css|js))"/g)].map(([, place = '']) => place);
    expect(assets.length).toBeGreaterThan(1);
    expect(await repeat(10, () => ask('/console/sign-in', here))).toEqual(Array(10).fill(200));
    const over = await ask('/console/sign-in', here);
    expect(over.status).toBe(429);
    expect(over.headers.get('content-type')).toContain('text/html');
    expect(over.headers.get('retry-after')).toBeTruthy();
    expect(await over.text()).toContain('Too many requests');
    for (const free of ['/healthz', '/favicon.svg', ...assets])
      expect((await ask(free, here)).status).toBe(200);
  });

  it('does not count visitors who are signed in', async () => {
    const here = newAddress();
    const client = await openConsole(platform, 'merchant_owner');
    const visit = () => client.get('/console/access', here);
    expect(await repeat(15, visit)).toEqual(Array(15).fill(200));
    await useUp(here);
    expect((await visit()).status).toBe(200);
    expect((await ask('/console/access', here)).status).toBe(429);
  });

  it('limits sign-in mails and links by address, also for people who are signed in', async () => {
    const client = await openConsole(platform, 'merchant_owner');
    for (const [path, status] of [
      ['/console/sign-in', 200],
      ['/console/enter', 410],
    ] as const) {
      const here = newAddress();
      expect((await client.get('/console/access', here)).status).toBe(200);
      const send = () => client.send(path, { email: 'a@b.example', environment: 'production' }, here);
      expect(await repeat(11, send)).toEqual([...Array<number>(10).fill(status), 429]);
    }
  });
});

describe('/auth/token', () => {
  it('limits failed refresh tokens, and refunds what a valid one counted', async () => {
    const here = newAddress();
    const refresh = (refresh_token: string) =>
      ask('/auth/token', here, {
        method: 'POST',
        body: JSON.stringify({ grant_type: 'refresh_token', refresh_token }),
      });
    for (let index = 0; index < 12; index++)
      expect((await refresh((await signIn(platform, 'merchant')).refresh_token)).status).toBe(200);
    expect(await repeat(11, () => refresh('unknown'))).toEqual([...Array<number>(10).fill(401), 429]);
    expect(await (await refresh('unknown')).json()).toMatchObject({ code: 'rate_limited' });
  });
});

describe('/hooks/sendgrid', () => {
  it('limits calls without a valid signature', async () => {
    const here = newAddress();
    const timestamp = '1790000001';
    const signature = sign('sha256', Buffer.from(`${timestamp}[]`), platform.mailEventKey).toString('base64');
    const post = (value: string) =>
      ask(
        '/hooks/sendgrid',
        {
          ...here,
          'x-twilio-email-event-webhook-timestamp': timestamp,
          'x-twilio-email-event-webhook-signature': value,
        },
        { method: 'POST', body: '[]' },
      );
    expect(await repeat(12, () => post(signature))).toEqual(Array(12).fill(200));
    expect((await repeat(11, () => post('AAAA'))).at(-1)).toBe(429);
  });
});

describe('the portal', () => {
  it('limits visitors with a page, but not learners who have opened their link', async () => {
    const here = newAddress();
    const cookie = await learnerCookie(platform);
    expect(await repeat(12, () => openPage(platform, '/catalogue/a', { ...here, cookie }))).toEqual(
      Array(12).fill(200),
    );
    expect(await repeat(10, () => openPage(platform, '/catalogue/a', here))).toEqual(Array(10).fill(200));
    const over = await openPage(platform, '/catalogue/a', here);
    expect([over.status, over.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect((await openPage(platform, '/catalogue/a', { ...here, cookie })).status).toBe(200);
  });

  it('limits look-ups of made-up host names', async () => {
    const here = newAddress();
    const statuses: number[] = [];
    for (let index = 0; index < 11; index++)
      statuses.push((await openPage(platform, '/', { ...here, host: `h${index}.example` })).status);
    expect(statuses.slice(0, 10)).not.toContain(429);
    expect(statuses.at(-1)).toBe(429);
  });
});
