import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { hashSecret } from '../../db/tokens';
import { cookieName, readCookie } from '../http/cookies';

export type Cookies = ReturnType<typeof createCookies>;

const lifetimeMs = 12 * 3_600_000;
const flashLifetimeMs = 60_000;

/** The console's cookies: the secret of the session, and a sentence for the next page. */
export function createCookies(publicOrigin: string) {
  const isHttps = publicOrigin.startsWith('https:');
  const names = { session: cookieName('console', isHttps), flash: cookieName('console-flash', isHttps) };
  const shared = { httpOnly: true, secure: isHttps, sameSite: 'strict', path: '/' } as const;

  return {
    /** The hash by which the session is found, and the token that its forms carry. */
    read: (request: Request): { hash: Buffer; csrf: string } | undefined => {
      const secret = readCookie(request, names.session);
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
      const value = readCookie(request, names.flash);
      if (value === undefined) return null;
      response.clearCookie(names.flash, shared);
      return Buffer.from(value, 'base64url').toString();
    },
  };
}
