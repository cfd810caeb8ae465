/** The page of a link, as a browser without scripts gets it. */
type OpenedPage = { status: number; headers: Headers; html: string };

/**
 * Opens an address of the portal like a new browser. Keeps the cookie of a link and follows the redirect to the
 * address without the token, but follows no other redirect.
 */
export async function fetchLink(url: string | URL, headers: Record<string, string> = {}): Promise<Response> {
  const first = await fetch(url, { headers, redirect: 'manual' });
  const [cookie] = first.headers.getSetCookie();
  const location = first.headers.get('location');
  if (cookie === undefined || location === null) return first;
  await first.text();
  return fetch(new URL(location, url), {
    headers: { ...headers, cookie: cookie.split(';')[0] ?? '' },
    redirect: 'manual',
  });
}

/** Opens an address as `fetchLink` does, and reads the page. */
export async function openLink(url: string | URL, headers?: Record<string, string>): Promise<OpenedPage> {
  const response = await fetchLink(url, headers);
  return { status: response.status, headers: response.headers, html: await response.text() };
}
