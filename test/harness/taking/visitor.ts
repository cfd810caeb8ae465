import { cloneInterview } from '../people/people';
import type { Platform } from '../platform/platform';
import { hiddenField } from './embed';

/** What the avatars of `makeAvatar` know. */
export const fact = 'The canteen serves vegetarian dishes on Fridays.';

/** Returns functions that create public avatars, and do what their visitors do. */
export function visitorCalls(platform: Platform) {
  /** Creates a public avatar whose description is a fact, and returns its id and slug. */
  async function makeAvatar(changes: Record<string, unknown> = {}) {
    const slug = `avatar-${crypto.randomUUID().slice(-12)}`;
    const id = await cloneInterview(platform.database, {
      name: 'Ask us',
      type: 'public_avatar',
      visibility: 'merchant_unlisted',
      description: fact,
      slug,
      ...changes,
    });
    return { id, slug };
  }

  /** A browser without scripts that opens one page. */
  function openBrowser(path: string) {
    let cookie = '';
    const send = async (action: string, init: RequestInit = {}, headers: Record<string, string> = {}) => {
      const { portal_url } = platform.stack;
      const response = await fetch(`${portal_url}${path}${action}`, {
        redirect: 'manual',
        ...init,
        headers: { origin: portal_url, ...(cookie ? { cookie } : {}), ...headers },
      });
      const [set] = response.headers.getSetCookie();
      if (set !== undefined) cookie = set.split(';')[0] ?? '';
      const html = await response.text();
      return { status: response.status, html, headers: response.headers, setCookie: set };
    };
    const show = () => send('');
    const post = (action: string, fields: Record<string, string>, headers?: Record<string, string>) =>
      send(action, { method: 'POST', body: new URLSearchParams(fields) }, headers);
    return {
      show,
      /** Gets something below the page. */
      get: (path: string) => send(path),
      post,
      /** Asks on the page that is shown now, and returns the next page. */
      ask: async (text: string) => {
        const { html } = await show();
        const turn = hiddenField(html, 'turn_id');
        const posted = await post('ask', { text, ...(turn === '' ? {} : { turn_id: turn }) });
        return { posted, page: await show() };
      },
      cookie: () => cookie,
      useCookie: (value: string) => {
        cookie = value;
      },
    };
  }
  const visitsOf = (id: string) =>
    platform.database.rows<{ id: string; charge: string }>(
      'select id, charge from interview_result where interview_id = $1 and is_visit order by created_at',
      [id],
    );
  return { makeAvatar, openBrowser, visitsOf };
}
