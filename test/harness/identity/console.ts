import { makeConsoleLink, withAdminConnection } from '../../../db/platform/credentials';
import type { Environment } from '../../../db/platform/vocabulary';
import { people } from '../../../local/seed/accounts';
import type { PersonKey } from '../../../local/seed/accounts';
import type { Platform } from '../platform/platform';

export type ConsolePage = { status: number; headers: Headers; html: string; url: string };
type Fields = Record<string, string>;
export type ConsoleClient = ReturnType<typeof createClient>;

/** Creates a link that signs one of the people of the seed in to the console. */
export const consoleLink = (
  platform: Platform,
  person: PersonKey,
  environment: Environment = 'production',
): Promise<string> =>
  withAdminConnection(platform.database.adminUrl, (client) =>
    makeConsoleLink(client, people[person], environment, platform.stack.origin),
  );

/** Returns the token of a sign-in link. */
export const tokenOf = (link: string): string => new URL(link).searchParams.get('token') ?? '';

/** Signs in with a link, as a browser does, and returns a client that is signed in as the person of the link. */
export async function openConsole(
  platform: Platform,
  person: PersonKey,
  environment: Environment = 'production',
): Promise<ConsoleClient> {
  const client = createClient(platform.stack.origin);
  const entered = await client.send('/console/enter', {
    token: tokenOf(await consoleLink(platform, person, environment)),
  });
  if (entered.status !== 303) throw new Error(`${entered.status} ${entered.html}`);
  return client;
}

/**
 * Creates a client that behaves like a browser without scripts: it keeps cookies and sends the origin with a form. It
 * does not follow redirects by itself.
 */
export function createClient(origin: string) {
  const cookies = new Map<string, string>();
  let csrf = '';
  const ask = async (
    path: string,
    headers: Record<string, string>,
    more: RequestInit = {},
  ): Promise<ConsolePage> => {
    const url = new URL(path, origin).href;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      ...more,
      headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const html = await response.text();
    csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? csrf;
    return { status: response.status, headers: response.headers, html, url };
  };
  const get = (path: string, headers: Record<string, string> = {}) => ask(path, headers);
  const send = (path: string, fields: Fields | URLSearchParams, headers: Record<string, string> = {}) =>
    ask(
      path,
      { origin, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      { method: 'POST', body: new URLSearchParams(fields).toString() },
    );
  /** Posts a form with files, without adding the session's CSRF token. */
  const sendForm = (path: string, form: FormData) => ask(path, { origin }, { method: 'POST', body: form });
  /** Posts fields with the session's CSRF token to a path, as a form on a page of the console does. */
  const post = async (
    path: string,
    fields: Fields | URLSearchParams = {},
    headers: Record<string, string> = {},
  ) => {
    if (csrf === '') await get('/console/access');
    const body = new URLSearchParams(fields);
    if (!body.has('csrf')) body.set('csrf', csrf);
    return send(path, body, headers);
  };
  /** Opens the page that a response redirects to. */
  const follow = (page: ConsolePage) => get(page.headers.get('location') ?? '');
  return {
    cookies,
    get,
    /** Posts fields like `post`, but without the session's CSRF token. */
    send,
    sendForm,
    post,
    follow,
    /**
     * Posts fields like `post`. If the response is a redirect, opens the page to which it leads and returns that
     * page.
     */
    submit: async (path: string, fields: Fields = {}): Promise<ConsolePage> => {
      const page = await post(path, fields);
      return page.status === 303 ? follow(page) : page;
    },
  };
}
