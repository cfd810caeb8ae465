import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { hashSecret } from '../../db/tokens';

export type Cookies = ReturnType<typeof createCookies>;

const lifetimeMs = 12 * 3_600_000;
const flashLifetimeMs = 60_000;

/**
 * The console's cookies: the secret of the session, and a sentence for the next page. Under https their names begin with
 * `__Host-`, so that no other host of the domain can set them; browsers refuse that name on http.
 */
export function createCookies(publicOrigin: string) {
  const isHttps = publicOrigin.startsWith('https:');
  const prefix = isHttps ? '__Host-' : '';
  const names = { session: `${prefix}console`, flash: `${prefix}console-flash` };
  const shared = { httpOnly: true, secure: isHttps, sameSite: 'strict', path: '/' } as const;

  return {
    /** The hash by which the session is found, and the token that its forms carry. */
    read: (request: Request): { hash: Buffer; csrf: string } | undefined => {
      const secret = cookieOf(request, names.session);
      if (secret === undefined) return undefined;
      return {
        hash: hashSecret(secret),
        csrf: createHash('sha256').update(`csrf/${secret}`).digest('base64url'),
      };
    },
    set: (response: Response, secret: string) =>
      void response.cookie(names.session, secret, { ...shared, maxAge: lifetimeMs }),
    clear: (response: Response) => void response.clearCookie(names.session, shared),

    setFlash: (response: Response, text: string) =>
      void response.cookie(names.flash, Buffer.from(text).toString('base64url'), {
        ...shared,
        maxAge: flashLifetimeMs,
      }),
    /** The sentence that the last act left, once. */
    takeFlash: (request: Request, response: Response): string | null => {
      const value = cookieOf(request, names.flash);
      if (value === undefined) return null;
      response.clearCookie(names.flash, shared);
      return Buffer.from(value, 'base64url').toString();
    },
  };
}

/** Values hold no character that cookies escape. */
function cookieOf(request: Request, name: string): string | undefined {
  for (const pair of request.headers.cookie?.split(';') ?? []) {
    const [key, value] = pair.split('=');
    if (key?.trim() === name && value !== undefined && /^[\w-]{1,4000}$/.test(value.trim()))
      return value.trim();
  }
  return undefined;
}
