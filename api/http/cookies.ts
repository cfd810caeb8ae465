import type { Request } from 'express';

/**
 * A cookie's name for one host: under https it begins with `__Host-`, so that no other host of the domain can set it;
 * browsers refuse that name on http.
 */
export const cookieName = (name: string, isHttps: boolean): string => (isHttps ? `__Host-${name}` : name);

/** The value of a cookie of ours: it holds no character that cookies escape. */
export function readCookie(request: Request, name: string): string | undefined {
  for (const pair of request.headers.cookie?.split(';') ?? []) {
    const [key, value] = pair.split('=');
    if (key?.trim() === name && value !== undefined && /^[\w.-]{1,4000}$/.test(value.trim()))
      return value.trim();
  }
  return undefined;
}
