import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { generateServiceKey } from '../../../db/platform/tokens';
import { signIn } from '../../harness/identity/accounts';
import { openConsole } from '../../harness/identity/console';
import { errorBody } from '../../harness/platform/error-body';
import { takePort } from '../../harness/platform/ports';
import type { TestProcess } from '../../harness/platform/process';
import { startPlatform } from '../../harness/platform/start-platform';
import type { OwnPlatform } from '../../harness/platform/start-platform';
import { candidateCalls } from '../../harness/taking/candidate';

let platform: OwnPlatform;
beforeAll(async () => {
  platform = await startPlatform({
    worker: false,
    api: { RATE_LIMIT_PER_MINUTE: '5', ADDRESS_LIMIT_PER_MINUTE: '10', TRUSTED_PROXIES: '127.0.0.0/8' },
  });
});

const list = (token: string) => platform.call('interview-template-list', { token });
const statuses = async (token: string, count: number) => {
  const found: number[] = [];
  for (let index = 0; index < count; index++) found.push((await list(token)).status);
  return found;
};

describe('the rate limit', () => {
  it('returns 429 with Retry-After and RateLimit headers', async () => {
    const { access_token: token } = await signIn(platform, 'merchant');
    const first = await list(token);
    expect(first.status).toBe(200);
    expect(first.headers.get('ratelimit-limit')).toBe('5');
    expect(first.headers.get('ratelimit-remaining')).toBe('4');
    expect(Number(first.headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60);
    expect(first.headers.get('retry-after')).toBeNull();
    expect(await statuses(token, 4)).toEqual([200, 200, 200, 200]);
    const over = await list(token);
    expect(over.status).toBe(429);
    expect(over.body).toEqual(
      errorBody('rate_limited', undefined, expect.stringContaining('5 requests in a minute')),
    );
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(over.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(over.headers.get('ratelimit-remaining')).toBe('0');
    expect(over.headers.get('x-request-id')).toBeTruthy();
  });

  it('counts a refreshed token to the same session, another session by itself', async () => {
    const session = await signIn(platform, 'merchant');
    expect(await statuses(session.access_token, 6)).toEqual([200, 200, 200, 200, 200, 429]);
    const refreshed = await fetch(`${platform.stack.origin}/auth/token`, {
      method: 'POST',
      body: JSON.stringify({ grant_type: 'refresh_token', refresh_token: session.refresh_token }),
    });
    const { access_token: next } = (await refreshed.json()) as { access_token: string };
    expect(next).not.toBe(session.access_token);
    expect(await statuses(next, 1)).toEqual([429]);
    expect(await statuses((await signIn(platform, 'merchant')).access_token, 1)).toEqual([200]);
  });

  it('gives every service key its own bucket, whatever merchant it names', async () => {
    const { service_key: key, merchant_service_key: other, merchant_id, sub_merchant_id } = platform.stack;
    const found: number[] = [];
    for (const id of [merchant_id, sub_merchant_id, merchant_id, sub_merchant_id, merchant_id, merchant_id])
      found.push(
        (await platform.call('interview-template-list', { token: key, query: { merchant_id: id } })).status,
      );
    expect(found).toEqual([200, 200, 200, 200, 200, 429]);
    expect(
      (await platform.call('interview-template-list', { token: other, query: { merchant_id } })).status,
    ).toBe(200);
  });

  it('counts requests of a console session, and responds with a page', async () => {
    const client = await openConsole(platform, 'merchant_owner');
    for (let index = 0; index < 5; index++) expect((await client.get('/console/access')).status).toBe(200);
    const over = await client.get('/console/access');
    expect([over.status, over.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(over.html).toContain('requests in a minute. Slow down.<');
    const other = await openConsole(platform, 'merchant_owner');
    expect((await other.get('/console/access')).status).toBe(200);
  });

  it('counts rejected calls, and no public pages', async () => {
    const { access_token: token } = await signIn(platform, 'merchant');
    for (let index = 0; index < 5; index++)
      expect((await platform.call('job-interview-update', { token, rawBody: '{' })).status).toBe(422);
    expect(await statuses(token, 1)).toEqual([429]);
    for (let index = 0; index < 7; index++)
      expect((await fetch(`${platform.stack.origin}/v1/openapi`)).status).toBe(200);
  });

  it('counts 60 calls of a candidate’s link by themselves', async () => {
    const calls = candidateCalls(platform);
    const interviewId = await calls.makeInterview([{ question: 'One?' }]);
    const [one, other] = [await calls.register(interviewId), await calls.register(interviewId)];
    expect((await calls.begin(one.token)).headers.get('ratelimit-limit')).toBe('60');
    for (let index = 1; index < 60; index++) expect((await calls.get(one.token)).status).toBe(200);
    const over = await calls.get(one.token);
    expect([over.status, over.body['code']]).toEqual([429, 'rate_limited']);
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await calls.begin(other.token)).status).toBe(200);
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
    expect(statuses).toEqual({ 200: 5, 429: 19 });
  });

  it('count the failed calls of an address together', async () => {
    const statuses = await measure(async () => {
      const address = `10.${[...randomBytes(3)].join('.')}`;
      return () => ({
        authorization: `Bearer ${generateServiceKey('production')}`,
        'x-forwarded-for': address,
      });
    });
    expect(statuses).toEqual({ 401: 5, 429: 19 });
  });
});
