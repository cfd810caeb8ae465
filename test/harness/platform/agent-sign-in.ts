import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import type {
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { atEnd } from '../at-end';
import type { ConsoleClient, ConsolePage } from '../identity/console';
import { versionsOf } from './agent';
import type { Platform } from './platform';

export const callback = 'http://127.0.0.1:9/callback';
export type Rights = Record<`scope_${string}`, 'on'>;

/** Opens the page that asks the person of the browser, and returns it. */
export async function openConnectPage(browser: ConsoleClient, url: URL | string): Promise<ConsolePage> {
  const started = await browser.get(String(url));
  return started.status === 303 ? browser.follow(started) : started;
}

/** Agrees, as the person of the browser, to connect an agent. Returns the address at which the agent gets its code. */
export async function agree(
  browser: ConsoleClient,
  url: URL | string,
  rights: Rights = { scope_read: 'on', scope_decide: 'on', scope_manage: 'on', scope_webhooks: 'on' },
  merchantId?: string,
): Promise<URL> {
  let page = await openConnectPage(browser, url);
  if (merchantId !== undefined)
    page = await browser.get(`${new URL(page.url).pathname}?merchant_id=${merchantId}`);
  if (page.status !== 200) throw new Error(`${page.status} ${page.html}`);
  const { pathname, search } = new URL(page.url);
  const answered = await browser.post(pathname + search, rights);
  const [, next = ''] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(answered.html) ?? [];
  const done = await browser.get(next.replaceAll('&amp;', '&'));
  const location = done.headers.get('location');
  if (location === null) throw new Error(`${done.status} ${done.html}`);
  return new URL(location);
}

/** What an agent remembers on its machine, in memory. `metadataUrl` is the address of its metadata document. */
export function createMemory(browser: ConsoleClient, metadataUrl?: string, merchantId?: string) {
  let client: StoredOAuthClientInformation | undefined;
  let tokens: StoredOAuthTokens | undefined;
  let verifier = '';
  let returned: URL | undefined;
  const provider: OAuthClientProvider = {
    redirectUrl: callback,
    ...(metadataUrl === undefined ? {} : { clientMetadataUrl: metadataUrl }),
    clientMetadata: {
      client_name: 'Test agent',
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => client,
    saveClientInformation: (saved) => void (client = saved),
    tokens: () => tokens,
    saveTokens: (saved) => void (tokens = saved),
    redirectToAuthorization: async (url) =>
      void (returned = await agree(browser, url, undefined, merchantId)),
    saveCodeVerifier: (saved) => void (verifier = saved),
    codeVerifier: () => verifier,
  };
  return {
    provider,
    registration: () => client,
    tokens: () => tokens,
    returned: () => returned,
  };
}

/** Connects an agent that knows nothing but the address of `/mcp`: it finds the sign-in, and the person agrees. */
export async function signInAgent(
  { stack }: Pick<Platform, 'stack'>,
  browser: ConsoleClient,
  {
    era = 'modern',
    metadataUrl,
    returnFrom,
    merchantId,
  }: { era?: 'legacy' | 'modern'; metadataUrl?: string; returnFrom?: string; merchantId?: string } = {},
) {
  const memory = createMemory(browser, metadataUrl, merchantId);
  const open = () =>
    new StreamableHTTPClientTransport(new URL('/mcp', stack.origin), { authProvider: memory.provider });
  const create = () => new Client({ name: 'test-agent', version: '1.0.0' }, versionsOf(era));
  const first = open();
  await create()
    .connect(first)
    .catch((error: unknown) => {
      if (!(error instanceof UnauthorizedError)) throw error;
    });
  const returned = memory.returned();
  if (!returned) throw new Error('the agent was not sent to the sign-in');
  if (returnFrom !== undefined) returned.searchParams.set('iss', returnFrom);
  await first.finishAuth(returned.searchParams);
  const client = create();
  await client.connect(open());
  atEnd(() => client.close());
  return { client, ...memory };
}
