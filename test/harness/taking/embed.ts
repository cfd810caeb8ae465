import { createHmac, randomUUID } from 'node:crypto';
import type { Platform } from '../platform/platform';

export type EmbedKey = { embed_id: string; embed_signing_key: string };
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Signs claims as a merchant's server does. By default, the token is for a new candidate and valid for ten minutes.
 */
export function signToken(
  { embed_signing_key }: Pick<EmbedKey, 'embed_signing_key'>,
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = { alg: 'HS256' },
): string {
  const exp = Math.floor(Date.now() / 1_000) + 600;
  const all = { email: `${randomUUID()}@candidates.example`, exp, jti: randomUUID(), ...claims };
  const signed = `${encode(header)}.${encode(all)}`;
  return `${signed}.${createHmac('sha256', embed_signing_key).update(signed).digest('base64url')}`;
}

/** Returns functions that embed interviews and visit them like a browser without scripts. */
export function embedCalls(platform: Platform) {
  const makeKey = async (position_id: string, embed_origins?: string[]): Promise<EmbedKey> => {
    const body = { position_id, is_embedded: true, ...(embed_origins ? { embed_origins } : {}) };
    return (await platform.call('job-interview-set-state', { body })).body as unknown as EmbedKey;
  };
  /** Opens the page of a token. `headers` can contain the cookie that an earlier page has set. */
  const enter = async (embedId: string, token: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${platform.stack.portal_url}/embed/${embedId}?token=${token}`, {
      headers,
      redirect: 'manual',
    });
    const [cookie = ''] = response.headers.getSetCookie();
    return {
      status: response.status,
      headers: response.headers,
      html: await response.text(),
      setCookie: cookie,
      cookie: cookie.split(';')[0] ?? '',
    };
  };
  const show = async (embedId: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${platform.stack.portal_url}/embed/${embedId}/`, { headers });
    return { status: response.status, headers: response.headers, html: await response.text() };
  };
  /** Sends one of the forms of the pages. */
  const post = async (
    embedId: string,
    action: string,
    fields: Record<string, string>,
    headers: Record<string, string>,
  ) => {
    const response = await fetch(`${platform.stack.portal_url}/embed/${embedId}/${action}`, {
      method: 'POST',
      headers: { origin: platform.stack.portal_url, ...headers },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
    return { status: response.status, headers: response.headers, html: await response.text() };
  };
  return { makeKey, enter, show, post };
}

/** Returns the value of a hidden field of a page. */
export const hiddenField = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';
