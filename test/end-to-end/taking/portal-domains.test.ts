import { currentConsentVersion } from '../../../api/taking/consent-version';
import { merchants } from '../../../local/seed/accounts';
import type { Platform } from '../../harness/platform/platform';
import { sendRaw } from '../../harness/platform/raw-http';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls } from '../../harness/taking/candidate';
import { embedCalls, hiddenField, signToken } from '../../harness/taking/embed';
import { waitFor } from '../../harness/wait-for';

/*
 * The tests send requests with the Host header of a portal domain, because no name server knows these domains.
 */

let platform: Platform;
let candidates: ReturnType<typeof candidateCalls>;
let interviewId: string;
const own = 'jobs.northwind.example';
const foreign = 'learn.contoso.example';

type Sent = { method?: string; headers?: Record<string, string>; body?: string };
/** Sends a request to a host of the platform. */
const ask = async (host: string, path: string, { method = 'GET', headers = {}, body = '' }: Sent = {}) => {
  const lines = Object.entries({ host, connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  if (method === 'POST')
    lines.push(
      'content-type: application/x-www-form-urlencoded',
      `content-length: ${Buffer.byteLength(body)}`,
    );
  const text = `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
  const reply = await sendRaw(platform.stack.origin, text);
  const [cookie = ''] = [reply.headers['set-cookie'] ?? ''].flat();
  return {
    status: reply.status,
    headers: reply.headers,
    html: reply.body,
    cookie: cookie.split(';')[0] ?? '',
  };
};

beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  candidates = candidateCalls(platform);
  interviewId = await candidates.makeInterview([{ question: 'One?' }]);
  for (const [domain, id] of [
    [own, merchants.main.id],
    [foreign, merchants.other.id],
  ])
    await platform.database.rows('update merchant set portal_domain = $1 where id = $2', [domain, id]);
  // The API reads the portal domains every 10 seconds.
  for (const domain of [own, foreign])
    await waitFor(`the portal ${domain}`, async () => (await ask(domain, '/')).status === 302);
});

const pathOf = (url: string) => url.slice(new URL(url).origin.length);

describe('a candidate’s link', () => {
  it('is at the portal domain of its merchant, and is taken there and at the portal of the platform', async () => {
    const { url, enrolmentId } = await candidates.register(interviewId);
    expect(new URL(url).origin).toBe(`https://${own}`);
    const entered = await ask(own, pathOf(url));
    expect([entered.status, entered.headers['location']]).toEqual([302, `/interview/take/${interviewId}/`]);
    const { cookie } = entered;
    const place = `/interview/take/${interviewId}/`;
    const start = await ask(own, place, { headers: { cookie } });
    expect(hiddenField(start.html, 'for')).toBe(enrolmentId);
    const body = new URLSearchParams({
      for: enrolmentId,
      consent: 'true',
      consent_version: currentConsentVersion,
    }).toString();
    const begin = (origin: string) =>
      ask(own, `${place}begin`, { method: 'POST', headers: { cookie, origin }, body });
    for (const origin of [platform.stack.portal_url, `https://${foreign}`, `https://x.${own}`, 'null', own])
      expect([origin, (await begin(origin)).status]).toEqual([origin, 403]);
    expect((await begin(`https://${own}`)).status).toBe(303);
    expect((await ask(own, place, { headers: { cookie } })).html).toContain('turn_id');
    const portal = new URL(platform.stack.portal_url).host;
    expect((await ask(portal, place, { headers: { cookie } })).html).toContain('turn_id');
  });

  it('shows nothing at the portal domain of another merchant, and calls no operation there', async () => {
    const { url, token } = await candidates.beginAt(interviewId);
    const cookie = `interview-${interviewId}=${token}`;
    const missing = await ask(foreign, `/interview/take/${interviewId}/`);
    expect(missing.status).toBe(404);
    const entered = await ask(foreign, pathOf(url));
    const place = `/interview/take/${interviewId}/`;
    for (const page of [
      await ask(foreign, place, { headers: { cookie: entered.cookie } }),
      await ask(foreign, place, { headers: { cookie } }),
      await ask(foreign, `${place}begin`, {
        method: 'POST',
        headers: { cookie, origin: `https://${foreign}` },
        body: 'for=x',
      }),
    ])
      expect([page.status, page.html]).toEqual([404, missing.html]);
    const call = async (host: string) => {
      const { status, html } = await ask(host, '/portal/v1/attempt-get', {
        headers: { authorization: `Bearer ${token}` },
      });
      return [status, (JSON.parse(html) as { code?: string }).code];
    };
    // A successful call at one host name does not make the link valid at another one.
    expect(await call(own)).toEqual([200, undefined]);
    expect(await call(foreign)).toEqual([401, 'token_revoked']);
    expect(await call(new URL(platform.stack.portal_url).host)).toEqual([200, undefined]);
    expect(await call(foreign)).toEqual([401, 'token_revoked']);
  });
});

describe('an embedded interview', () => {
  it('opens at the portal domain of its merchant', async () => {
    const embeds = embedCalls(platform);
    const key = await embeds.makeKey(interviewId);
    const enter = (host: string) => ask(host, `/embed/${key.embed_id}?token=${signToken(key)}`);
    const { status, cookie } = await enter(own);
    expect(status).toBe(303);
    const page = await ask(own, `/embed/${key.embed_id}/`, { headers: { cookie } });
    expect(page.html).toContain('name="consent"');
    expect((await enter(foreign)).status).toBe(404);
    expect((await ask(foreign, `/embed/${key.embed_id}/`, { headers: { cookie } })).status).toBe(404);
  });
});
