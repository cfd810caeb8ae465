import type { Request } from 'express';

/**
 * Returns the name of a cookie that belongs to one host. With https, the name begins with `__Host-`, so that other
 * hosts of the domain cannot set the cookie. Browsers reject such names on http.
 */
export const cookieName = (name: string, isHttps: boolean): string => (isHttps ? `__Host-${name}` : name);

/**
 * Returns all values of one of our cookies, because the browser may also send a cookie of another host with the same
 * name. Our values contain no characters that need escaping.
 */
export function readCookies(request: Request, name: string): string[] {
  return (request.headers.cookie?.split(';') ?? []).flatMap((pair) => {
    const [key, value = ''] = pair.split('=');
    return key?.trim() === name && /^[\w.-]{1,4000}$/.test(value.trim()) ? [value.trim()] : [];
  });
}

export const readCookie = (request: Request, name: string): string | undefined =>
  readCookies(request, name)[0];
