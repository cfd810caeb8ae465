import { randomBytes, randomUUID, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { currentConsent } from '../../../api/catalogue/job-page';
import { languageTexts } from '../../../api/platform/text/language-texts';
import { generateServiceKey } from '../../../db/platform/tokens';
import { merchants } from '../../../local/seed/accounts';
import { learnerCookie, makeDirectory, openPage } from '../../harness/catalogue/catalogue-rows';
import { makeKey, signIn } from '../../harness/identity/accounts';
import { openConsole } from '../../harness/identity/console';
import { cloneInterview } from '../../harness/people/people';
import { errorBody } from '../../harness/platform/error-body';
import { takePort } from '../../harness/platform/ports';
import type { TestProcess } from '../../harness/platform/process';
import { startPlatform } from '../../harness/platform/start-platform';
import type { OwnPlatform } from '../../harness/platform/start-platform';

const rateLimit = 20;
let platform: OwnPlatform;
beforeAll(async () => {
  platform = await startPlatform({
    worker: false,
    live: true,
    api: {
      ADDRESS_LIMIT_PER_MINUTE: '10',
      AVATAR_VISITS_PER_HOUR: '2',
      JOB_APPLICATIONS_PER_DAY: '2',
      JOB_APPLICATIONS_PER_ADDRESS: '3',
      RATE_LIMIT_PER_MINUTE: String(rateLimit),
      TRUSTED_PROXIES: '127.0.0.0/8',
    },
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
const list = (token: string, headers: Headers = {}) =>
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
});

describe('a public avatar', () => {
  const makeAvatar = async (more = {}) => {
    const slug = `avatar-${randomUUID()}`;
    const changes = { type: 'public_avatar', visibility: 'public', platform_language_code: 'de', slug };
    await cloneInterview(platform.database, { ...changes, ...more });
    return slug;
  };
  /** Opens the page of a new visitor. */
  const open = async (slug: string) => {
    const { portal_url } = platform.stack;
    const at = `${portal_url}/talk/${slug}`;
    const headers = { ...newAddress(), origin: portal_url };
    const [cookie = ''] = (await fetch(`${at}/`, { headers })).headers.getSetCookie();
    return { at, headers: { ...headers, cookie: cookie.split(';')[0] ?? '' } };
  };
  /** Asks the first question of a visit. */
  const visit = async (slug: string) => {
    const { at, headers } = await open(slug);
    const body = new URLSearchParams({ text: 'Warum?' });
    return fetch(`${at}/ask`, { method: 'POST', redirect: 'manual', headers, body });
  };

  it('counts a visit that begins with a live conversation, but not when it is connected again', async () => {
    const slug = await makeAvatar({
      interview_template_id: platform.stack.template_ids.interactive_avatar_1,
    });
    const talk = async () => {
      const { at, headers } = await open(slug);
      const connect = () => fetch(`${at}/talk`, { method: 'POST', headers });
      await connect();
      return connect();
    };
    expect(await repeat(3, talk)).toEqual([200, 200, 429]);
  });

  it('begins two visits in an hour, and then asks visitors of any address to come back later', async () => {
    const [slug, other] = [await makeAvatar(), await makeAvatar()];
    const begun = await Promise.all([visit(slug), visit(slug), visit(other)]);
    expect(begun.map(({ status }) => status)).toEqual([303, 303, 303]);
    const over = await visit(slug);
    expect([over.status, Number(over.headers.get('retry-after')) > 3_000]).toEqual([429, true]);
    const html = await over.text();
    expect(html).toContain(languageTexts.de.candidate_pages.avatar_unavailable);
    expect(html).toContain('>Warum?</textarea>');
  });
});

describe('a job', () => {
  const makeJob = async () => {
    const slug = `nurse-${randomUUID()}`;
    await cloneInterview(platform.database, { type: 'interview', visibility: 'public', slug });
    return slug;
  };
  const apply = (slug: string, email = `${randomUUID()}@jobs.example`, address = newAddress()) => {
    const { portal_url } = platform.stack;
    return fetch(`${portal_url}/jobs/${slug}/`, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...address, origin: portal_url, 'accept-language': 'en' },
      body: new URLSearchParams({ name: 'Ann Lee', email, consent: currentConsent }),
    });
  };

  it('counts a person once, also if the person is known', async () => {
    const slug = await makeJob();
    const email = `${randomUUID()}@jobs.example`;
    expect(await repeat(3, () => apply(slug, email))).toEqual([303, 303, 303]);
    // A repeat within a minute ends before the database. With another email address, the known person is no repeat.
    const other = `${randomUUID()}@jobs.example`;
    await platform.database.rows('update enrolment set email = $2, email_key = $2 where email = $1', [
      email,
      other,
    ]);
    expect((await apply(slug, other)).status).toBe(303);
    expect(await repeat(2, () => apply(slug))).toEqual([303, 429]);
  });

  it('takes three applications of one address in a day, whoever applies for whichever job', async () => {
    const address = newAddress();
    const send = async () => apply(await makeJob(), undefined, address);
    expect(await repeat(3, send)).toEqual([303, 303, 303]);
    const over = await send();
    expect([over.status, Number(over.headers.get('retry-after')) > 80_000]).toEqual([429, true]);
  });

  it('takes two new people in a day, and then says how long to wait, and keeps what was entered', async () => {
    const slug = await makeJob();
    expect(await repeat(2, () => apply(slug))).toEqual([303, 303]);
    const over = await apply(slug);
    expect([over.status, Number(over.headers.get('retry-after')) > 80_000]).toEqual([429, true]);
    const html = await over.text();
    expect(html).toContain('Time to wait: 24 hours');
    expect(html).toContain('value="Ann Lee"');
    expect((await apply(await makeJob())).status).toBe(303);
  });
});

describe('the rate limit', () => {
  it('returns 429 with Retry-After and RateLimit headers', async () => {
    const { access_token: token } = await signIn(platform, 'merchant');
    const first = await list(token);
    expect(first.status).toBe(200);
    expect(first.headers.get('ratelimit-limit')).toBe(String(rateLimit));
    expect(first.headers.get('ratelimit-remaining')).toBe(String(rateLimit - 1));
    expect(Number(first.headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60);
    expect(first.headers.get('retry-after')).toBeNull();
    expect(await repeat(rateLimit - 1, () => list(token))).toEqual(Array(rateLimit - 1).fill(200));
    const over = await list(token);
    expect(over.status).toBe(429);
    expect(over.body).toEqual(
      errorBody('rate_limited', undefined, expect.stringContaining(`${rateLimit} requests in a minute`)),
    );
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(over.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(over.headers.get('ratelimit-remaining')).toBe('0');
    expect(over.headers.get('x-request-id')).toBeTruthy();
  });

  it('refuses an agent that calls 100 tools at once, and says when to go on', async () => {
    const key = await makeKey(platform, merchants.main.id);
    const call = () =>
      fetch(`${platform.stack.origin}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami' } }),
      });
    const replies = await Promise.all(Array.from({ length: 100 }, call));
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(100 - rateLimit);
    expect(refused.filter(({ headers }) => Number(headers.get('retry-after')) > 0)).toHaveLength(
      100 - rateLimit,
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(rateLimit);
  });

  it('gives every service key its own bucket, whatever merchant it names', async () => {
    const { service_key: key, merchant_service_key: other, merchant_id, sub_merchant_id } = platform.stack;
    const merchantIds = [merchant_id, sub_merchant_id];
    const byKey = () => {
      const query = { merchant_id: merchantIds.toReversed()[0] ?? '' };
      return platform.call('interview-template-list', { token: key, query });
    };
    expect(await repeat(rateLimit + 1, byKey)).toEqual([...Array<number>(rateLimit).fill(200), 429]);
    expect(
      (await platform.call('interview-template-list', { token: other, query: { merchant_id } })).status,
    ).toBe(200);
  });

  it('counts requests of a console session, and responds with a page', async () => {
    const client = await openConsole(platform, 'merchant_owner');
    expect(await repeat(rateLimit, () => client.get('/console/access'))).toEqual(Array(rateLimit).fill(200));
    const over = await client.get('/console/access');
    expect([over.status, over.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(over.html).toContain('requests in a minute. Slow down.<');
    const other = await openConsole(platform, 'merchant_owner');
    expect((await other.get('/console/access')).status).toBe(200);
  });

  it('counts rejected calls, and no public pages', async () => {
    const { access_token: token } = await signIn(platform, 'merchant');
    const malformed = () => platform.call('job-interview-update', { token, rawBody: '{' });
    expect(await repeat(rateLimit, malformed)).toEqual(Array(rateLimit).fill(422));
    expect((await list(token)).status).toBe(429);
    expect(await repeat(rateLimit + 1, () => ask('/v1/openapi', {}))).toEqual(Array(rateLimit + 1).fill(200));
  });
});

describe('two API processes', () => {
  let origins: string[];
  let processes: TestProcess[];
  beforeAll(async () => {
    const { api: first, stack } = platform;
    const port = String(await takePort());
    const second = await platform.startApi({ PORT: port, METRICS_PORT: String(await takePort()) });
    processes = [first, second];
    origins = [stack.origin, `http://127.0.0.1:${port}`];
  });
  /** Returns how often the processes could not reach Postgres in time, so that each counted by itself. */
  const countFailures = () =>
    processes.flatMap(({ logFile }) => readFileSync(logFile, 'utf8').split('over all processes')).length;
  /** Sends calls to both processes in turn, and returns how often each status was sent. */
  const measure = async (makeHeaders: () => Promise<() => Record<string, string>>) => {
    for (;;) {
      const failures = countFailures();
      const headers = await makeHeaders();
      const found: Record<number, number> = {};
      for (let index = 0; index < 24; index++) {
        const { status } = await fetch(`${origins[index % 2]}/v1/interview-template-list`, {
          headers: headers(),
        });
        found[status] = (found[status] ?? 0) + 1;
      }
      if (countFailures() === failures) return found;
    }
  };

  it('count the calls of a session together', async () => {
    const statuses = await measure(async () => {
      const { access_token } = await signIn(platform, 'merchant');
      return () => ({ authorization: `Bearer ${access_token}` });
    });
    expect(statuses).toEqual({ 200: rateLimit, 429: 24 - rateLimit });
  });
});
