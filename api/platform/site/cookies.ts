import type { Request } from 'express';

/**
 * A cookie's name for one host: under https it begins with `__Host-`, so that no other host of the domain can set it;
 * browsers refuse that name on http.
 */
export const cookieName = (name: string, isHttps: boolean): string => (isHttps ? `__Host-${name}` : name);

/** The values of a cookie of ours: they hold no character that cookies escape. Another host's may stand before it. */
export function readCookies(request: Request, name: string): string[] {
  return (request.headers.cookie?.split(';') ?? []).flatMap((pair) => {
    const [key, value = ''] = pair.split('=');
    return key?.trim() === name && /^[\w.-]{1,4000}$/.test(value.trim()) ? [value.trim()] : [];
  });
}

export const readCookie = (request: Request, name: string): string | undefined =>
  readCookies(request, name)[0];
