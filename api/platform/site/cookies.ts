import type { Request } from 'express';

/**
 * Returns a cookie name for one host. Under https it begins with `__Host-`, so that no other host of the domain can
 * set it. Browsers reject that name on http.
 */
export const cookieName = (name: string, isHttps: boolean): string => (isHttps ? `__Host-${name}` : name);

/**
 * Returns the values of one of our cookies, which contain no characters that need escaping. A cookie of another host
 * may come first.
 */
export function readCookies(request: Request, name: string): string[] {
  return (request.headers.cookie?.split(';') ?? []).flatMap((pair) => {
    const [key, value = ''] = pair.split('=');
    return key?.trim() === name && /^[\w.-]{1,4000}$/.test(value.trim()) ? [value.trim()] : [];
  });
}

export const readCookie = (request: Request, name: string): string | undefined =>
  readCookies(request, name)[0];
