import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hashSecret } from '../../../db/platform/tokens';
import { merchants, people } from '../../../local/seed/accounts';
import { atEnd } from '../../harness/at-end';
import { makeKey, signIn } from '../../harness/identity/accounts';
import { openConsole } from '../../harness/identity/console';
import type { ConsoleClient } from '../../harness/identity/console';
import { give, makeSide, names } from '../../harness/identity/position-sides';
import { agentOf, connectAgent } from '../../harness/platform/agent';
import { agree, callback, openConnectPage, signInAgent } from '../../harness/platform/agent-sign-in';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let browser: ConsoleClient;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  browser = await openConsole(platform, 'merchant_owner');
});

const at = (path: string) => new URL(path, platform.stack.origin);
const token = (fields: Record<string, string>) =>
  fetch(at('/oauth/token'), { method: 'POST', body: new URLSearchParams(fields) });
const refresh = (refresh_token: string | undefined, client_id: string | undefined) =>
  token({ grant_type: 'refresh_token', refresh_token: refresh_token ?? '', client_id: client_id ?? '' });
const ping = (accessToken: unknown, message: object = { method: 'ping' }) =>
  fetch(at('/mcp'), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${String(accessToken)}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });

/** Serves metadata documents of clients on loopback, where the local stack may fetch them. */
async function serveDocuments(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const documentOf = (client_id: string, more: Record<string, unknown> = {}) => ({
  client_id,
  client_name: 'Claude',
  redirect_uris: [callback],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  ...more,
});
const authorizeUrl = (client_id: string, more: Record<string, string> = {}) => {
  const url = at('/oauth/authorize');
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
  const fields = { client_id, redirect_uri: callback, response_type: 'code', state: 'one', ...more };
  url.search = new URLSearchParams({
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...fields,
  }).toString();
  return url;
};

describe.each(['legacy', 'modern'] as const)('an agent of the %s protocol', (era) => {
  it('finds the sign-in by itself and works with the rights of the person', async () => {
    const { client } = await signInAgent(platform, browser, { era });
    const agent = agentOf(client);
    expect((await agent.call('whoami')).body.data).toMatchObject({
      merchant_id: merchants.main.id,
      role: 'merchant_owner',
      agent: 'Test agent',
      scopes: ['read', 'decide', 'manage', 'webhooks'],
    });
    const made = await agent.call('call_operation', {
      operation: 'knowledge-base-create',
      input: { name: `Leave ${era}`, text: 'Employees have 30 days.' },
    });
    const entries = await platform.database.rows(
      'select actor_id, agent from audit_entry where subject_id = $1',
      [(made.body.data as { id: string }).id],
    );
    expect(entries).toEqual([{ actor_id: people.merchant_owner.id, agent: 'Test agent' }]);
  });
});

describe('a metadata document', () => {
  it('describes an agent, which then needs no registration', async () => {
    const host = await serveDocuments((request, response) =>
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify(documentOf(`https://${request.headers.host}/client.json`))),
    );
    const page = await openConnectPage(browser, authorizeUrl(`${host}/client.json`));
    expect(page.html).toContain('Connect Claude?');
    expect(page.html).toContain(new URL(host).host);
    const { client, returned } = await signInAgent(platform, browser, { metadataUrl: `${host}/client.json` });
    expect((await agentOf(client).call('whoami')).isError).toBe(false);
    expect(returned()?.searchParams.get('iss')).toBe(`${platform.stack.origin}/oauth`);
  });

  it.each<[string, RequestListener]>([
    [
      'leads elsewhere',
      (_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    ],
    ['has 10 MB', (_request, response) => response.end(Buffer.alloc(10_000_000, ' '))],
    [
      'names another client',
      (_request, response) => response.end(JSON.stringify(documentOf('https://claude.ai/c'))),
    ],
    [
      'declares other redirects',
      (request, response) =>
        response.end(
          JSON.stringify(
            documentOf(`https://${request.headers.host}/c.json`, {
              redirect_uris: ['https://claude.ai/callback'],
            }),
          ),
        ),
    ],
  ])('that %s is refused, and the browser goes nowhere', async (_name, listener) => {
    const host = await serveDocuments(listener);
    const page = await openConnectPage(browser, authorizeUrl(`${host}/c.json`));
    expect([page.status, page.headers.get('location')]).toEqual([400, null]);
    expect(page.html).toContain('can’t be connected');
  });

  it('at a private address is not fetched', async () => {
    const page = await openConnectPage(browser, authorizeUrl('https://10.0.0.1/client.json'));
    expect(page.status).toBe(400);
  });
});

describe('a connection', () => {
  it('gets the same successor for a refresh token within a minute, and ends when it is used later', async () => {
    const { tokens, registration } = await signInAgent(platform, browser);
    const id = tokens()?.refresh_token;
    const clientId = registration()?.client_id;
    const [one, two] = await Promise.all([refresh(id, clientId), refresh(id, clientId)]);
    const bodies = await Promise.all([one.json(), two.json()] as Promise<Record<string, string>>[]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(bodies[0]).toEqual(bodies[1]);
    expect((await ping(bodies[0]?.['access_token'])).status).toBe(200);
    const next = await refresh(bodies[0]?.['refresh_token'], clientId);
    expect(next.status).toBe(200);

    await platform.database.rows(
      `update oauth_record set expires_at = now() - interval '1 s' where model = 'Refresh'`,
    );
    const late = await refresh(id, clientId);
    expect([late.status, await late.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_grant' }),
    ]);
    expect((await ping(bodies[0]?.['access_token'])).status).toBe(401);
  });

  it('ends at once when the person revokes it, also for a refresh that is repeated', async () => {
    const { client, tokens, registration } = await signInAgent(platform, browser);
    const used = tokens()?.refresh_token;
    const repeat = () => refresh(used, registration()?.client_id);
    expect((await repeat()).status).toBe(200);
    const page = await browser.get('/console/access');
    expect(page.html).toContain('Connected agents');
    const [session] = await platform.database.rows<{ id: string }>(
      `select id from session where kind = 'agent' order by created_at desc limit 1`,
    );
    await browser.submit('/console/access/agents/revoke', { id: session?.id ?? '' });
    await expect(agentOf(client).call('whoami')).rejects.toThrow('grant request is invalid');
    expect((await ping(tokens()?.access_token)).status).toBe(401);
    expect(await (await repeat()).json()).toMatchObject({ error: 'invalid_grant' });
  });

  it.each([[{ scope: 'read decide' }], [{}]])(
    'has only the rights that the person chose, if it asks for %j',
    async (asked) => {
      const registered = (await (
        await fetch(at('/oauth/register'), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            client_name: 'Reader',
            redirect_uris: [callback],
            token_endpoint_auth_method: 'none',
          }),
        })
      ).json()) as { client_id: string };
      const url = authorizeUrl(registered.client_id, asked);
      const returned = await agree(browser, url, { scope_read: 'on' });
      const reply = (await (
        await token({
          grant_type: 'authorization_code',
          code: returned.searchParams.get('code') ?? '',
          code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
          client_id: registered.client_id,
          redirect_uri: callback,
        })
      ).json()) as { access_token: string };
      const agent = await connectAgent(platform, reply.access_token);
      const { isError, body } = await agent.call('decide_result', { interview_result_id: merchants.main.id });
      expect([isError, body.error]).toEqual([true, expect.stringContaining('lacks the scope `decide`')]);
      expect((await agent.call('find_interviews')).isError).toBe(false);

      await platform.database.rows(`delete from oauth_record where model = 'Client'`);
      const gone = await refresh('any', registered.client_id);
      expect([gone.status, await gone.json()]).toEqual([
        401,
        expect.objectContaining({ error: 'invalid_client' }),
      ]);
      const page = await openConnectPage(browser, url);
      expect([page.status, page.html]).toEqual([400, expect.stringContaining('not registered any more')]);
    },
  );

  it('is to the merchant of the page only, also of an admin who may enter others', async () => {
    const admin = await openConsole(platform, 'admin');
    const { tokens } = await signInAgent(platform, admin, { merchantId: merchants.main.id });
    const agent = await connectAgent(platform, tokens()?.access_token ?? '');
    expect((await agent.call('find_candidates')).isError).toBe(false);
    const other = await agent.call('find_candidates', { merchant_id: merchants.other.id });
    expect([other.isError, other.body.error]).toEqual([true, expect.stringContaining('another account')]);
    const all = await agent.call('call_operation', { operation: 'merchant-list' });
    expect([all.isError, all.body.error]).toEqual([true, expect.stringContaining('to one account')]);
  });

  it('keeps its registered client, which otherwise is deleted after a day', async () => {
    const { registration } = await signInAgent(platform, browser);
    const { client_id } = (await (
      await fetch(at('/oauth/register'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: [callback], token_endpoint_auth_method: 'none' }),
      })
    ).json()) as { client_id: string };
    const isKept = async (id = '') =>
      (
        await platform.database.rows(
          `select expires_at > now() + interval '2 days' as kept from oauth_record where model = 'Client' and hash = $1`,
          [hashSecret(id)],
        )
      )[0];
    expect(await isKept(registration()?.client_id)).toEqual({ kept: true });
    expect(await isKept(client_id)).toEqual({ kept: false });
  });

  it('keeps the role and the positions of the person, and ends with the role', async () => {
    const [mine, hidden] = [await makeSide(platform, 'Mine'), await makeSide(platform, 'Hidden')];
    await give(platform, [mine.position]);
    const manager = await openConsole(platform, 'merchant_selection');
    const { client, tokens } = await signInAgent(platform, manager);
    const agent = agentOf(client);
    const found = JSON.stringify((await agent.call('find_interviews')).body);
    expect([names(found, mine), names(found, hidden)]).toEqual([true, false]);
    const unseen = await agent.call('get_result', { interview_result_id: hidden.result });
    expect([unseen.isError, unseen.body.code]).toEqual([true, 'not_found']);
    const { body } = await agent.call('set_interview_state', {
      position_id: merchants.main.id,
      status: 'archived',
    });
    expect(body.code).toBe('role_not_allowed');

    await platform.database.rows(`update profile set role = 'user' where id = $1`, [
      people.merchant_selection.id,
    ]);
    // The token has the role of before until the client refreshes it, which it does after a 401.
    const call = { method: 'tools/call', params: { name: 'find_interviews', arguments: {} } };
    const refused = await ping(tokens()?.access_token, call);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('/.well-known/oauth-protected-resource/mcp'),
    ]);
    expect((await agent.call('find_interviews')).body.code).toBe('role_not_allowed');
    // Learners have no console, in which they could connect an agent.
    await expect(openConsole(platform, 'merchant_selection')).rejects.toThrow(/^410 /);
  });

  it('cannot be agreed to in another browser than the one in which it began', async () => {
    const host = await serveDocuments((request, response) =>
      response.end(JSON.stringify(documentOf(`https://${request.headers.host}/c.json`))),
    );
    const stranger = await openConsole(platform, 'merchant_owner');
    const page = await openConnectPage(stranger, authorizeUrl(`${host}/c.json`));
    expect(page.status).toBe(200);
    expect((await browser.get(new URL(page.url).pathname)).status).toBe(404);
  });
});

describe('a token', () => {
  it('of another audience is refused on both sides', async () => {
    const { access_token } = await signIn(platform, 'merchant_owner');
    expect((await ping(access_token)).status).toBe(401);
    const { tokens } = await signInAgent(platform, browser);
    const { status } = await platform.call('job-interview-list', {
      token: tokens()?.access_token ?? '',
      query: {},
    });
    expect(status).toBe(401);
    const other = await openConnectPage(
      browser,
      authorizeUrl('x', { resource: 'https://other.example/mcp' }),
    );
    expect(other.status).toBe(400);
  });
});

describe('a stranger', () => {
  const register = () =>
    fetch(at('/oauth/register'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [callback], token_endpoint_auth_method: 'none' }),
    });

  it('cannot lead a browser to their own site with an app that they registered', async () => {
    const { client_id } = (await (await register()).json()) as { client_id: string };
    const wrong: Record<string, string>[] = [
      { prompt: 'none' },
      { response_type: 'token' },
      { response_mode: 'form_post', prompt: 'none' },
      { code_challenge: '' },
    ];
    for (const fields of wrong) {
      const page = await openConnectPage(browser, authorizeUrl(client_id, fields));
      expect([fields, page.status, page.headers.get('location')]).toEqual([fields, 400, null]);
      expect(page.html).toContain('can’t be connected');
      expect(page.html).not.toContain(callback);
    }
  });

  it('cannot fill the database with apps', async () => {
    const { client_id } = (await (await register()).json()) as { client_id: string };
    await platform.database.rows(`insert into oauth_record (model, hash, expires_at)
      select 'Client', sha256(n::text::bytea), now() + interval '1 hour' from generate_series(1, 10000) n`);
    expect((await register()).status).toBe(201);
    const [left] = await platform.database.rows(
      `select count(*)::int as all, bool_or(hash = $1) as has_newer from oauth_record
       where model = 'Client' and expires_at < now() + interval '1 day'`,
      [hashSecret(client_id)],
    );
    expect(left).toEqual({ all: 10_000, has_newer: true });
    await platform.database.rows(`delete from oauth_record where payload_sealed is null`);
  });
});

describe('an agent', () => {
  it('refuses a code that another issuer sent', async () => {
    await expect(signInAgent(platform, browser, { returnFrom: 'https://other.example' })).rejects.toThrow(
      'Issuer mismatch',
    );
  });
});

describe('an owner', () => {
  it('decides in which environments agents work, and of which hosts', async () => {
    const host = await serveDocuments((request, response) =>
      response.end(JSON.stringify(documentOf(`https://${request.headers.host}/c.json`))),
    );
    const url = authorizeUrl(`${host}/c.json`);
    const set = (environments: string, hosts: string) =>
      platform.database.rows('update merchant set agent_environments = $1, agent_hosts = $2 where id = $3', [
        environments,
        hosts,
        merchants.main.id,
      ]);
    const { client } = await signInAgent(platform, browser);
    await set('{production}', '{claude.ai}');
    expect((await openConnectPage(browser, url)).html).toContain('does not allow agents of 127.0.0.1');
    // An app on the device of the person can name any host after a scheme of its own.
    const redirect_uri = 'app://claude.ai/callback';
    const registered = await fetch(at('/oauth/register'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        redirect_uris: [redirect_uri],
        application_type: 'native',
        token_endpoint_auth_method: 'none',
      }),
    });
    const { client_id } = (await registered.json()) as { client_id: string };
    expect((await openConnectPage(browser, authorizeUrl(client_id, { redirect_uri }))).html).toContain(
      'does not allow agents of',
    );
    await set('{demo}', '{}');
    expect((await agentOf(client).call('find_interviews')).body.error).toContain('Agents are turned off');
    expect((await openConnectPage(browser, url)).html).toContain('Agents are turned off in production');
    const key = await makeKey(platform, merchants.main.id);
    expect((await (await connectAgent(platform, key)).call('find_interviews')).isError).toBe(true);
  });
});
