import type { Request, Response } from 'express';
import type { Seal } from '../../../db/platform/sealed';
import { hashSecret } from '../../../db/platform/tokens';
import { cookieName, readCookie } from './cookies';
import { formToken } from './form-token';
import { safeReturn } from './return-address';
import type { NewSecret } from './visitor';

export type ConsoleCookies = ReturnType<typeof createConsoleCookies>;

const lifetimeMs = 12 * 3_600_000;
const flashLifetimeMs = 60_000;
const returnLifetimeMs = 3_600_000;

/**
 * The session and the page that a sealed secret is bound to. The secret cannot be opened in another session or on
 * another page.
 */
type SecretPlace = { sessionId: string; path: string };
const contextOf = ({ sessionId, path }: SecretPlace) => `console-secret/${sessionId}${path}`;

/**
 * Creates the console's cookies: the session, the message and secrets that the next page shows once, and the page that
 * is opened after a sign-in.
 */
export function createConsoleCookies(publicOrigin: string, seal: Seal) {
  const isHttps = publicOrigin.startsWith('https:');
  const names = {
    session: cookieName('console', isHttps),
    flash: cookieName('console-flash', isHttps),
    secret: cookieName('console-secret', isHttps),
    back: cookieName('console-return', isHttps),
  };
  const shared = { httpOnly: true, secure: isHttps, sameSite: 'strict', path: '/' } as const;

  return {
    /** Returns the hash that identifies the session, and the token that the session's forms contain. */
    read: (request: Request): { hash: Buffer; formToken: Buffer } | undefined => {
      const secret = readCookie(request, names.session);
      return secret === undefined ? undefined : { hash: hashSecret(secret), formToken: formToken(secret) };
    },
    set: (response: Response, secret: string) =>
      void response.cookie(names.session, secret, { ...shared, maxAge: lifetimeMs }),
    clear: (response: Response) => void response.clearCookie(names.session, shared),

    setFlash: (response: Response, text: string) =>
      void response.cookie(names.flash, Buffer.from(text).toString('base64url'), {
        ...shared,
        maxAge: flashLifetimeMs,
      }),
    /** Returns the message that the last action left, and removes it. */
    takeFlash: (request: Request, response: Response): string | null => {
      const value = readCookie(request, names.flash);
      if (value === undefined) return null;
      response.clearCookie(names.flash, shared);
      return Buffer.from(value, 'base64url').toString();
    },

    /** Stores new secrets in an encrypted cookie for the page that is shown next. */
    setSecret: (response: Response, place: SecretPlace, secret: NewSecret) =>
      void response.cookie(
        names.secret,
        seal
          .seal(JSON.stringify({ until: Date.now() + flashLifetimeMs, secret }), contextOf(place))
          .toString('base64url'),
        { ...shared, maxAge: flashLifetimeMs },
      ),
    /** Returns the secrets that the last action left for this page, and removes them. */
    takeSecret: (request: Request, response: Response, place: SecretPlace): NewSecret | null => {
      const value = readCookie(request, names.secret);
      if (value === undefined) return null;
      const opened = open(seal, value, contextOf(place));
      if (opened === undefined) return null;
      response.clearCookie(names.secret, shared);
      return opened.until > Date.now() ? opened.secret : null;
    },

    /** Remembers the requested page until the person opens the emailed link in this browser. */
    setReturn: (response: Response, address: string | undefined) =>
      address === undefined
        ? void response.clearCookie(names.back, shared)
        : void response.cookie(names.back, Buffer.from(address).toString('base64url'), {
            ...shared,
            maxAge: returnLifetimeMs,
          }),
    takeReturn: (request: Request, response: Response): string | undefined => {
      const value = readCookie(request, names.back);
      if (value === undefined) return undefined;
      response.clearCookie(names.back, shared);
      return safeReturn(Buffer.from(value, 'base64url').toString());
    },
  };
}

/**
 * Opens a sealed value. Returns undefined if it was sealed for another page or session, or with a key that no longer
 * exists.
 */
function open(seal: Seal, value: string, context: string) {
  try {
    const text = seal.open(Buffer.from(value, 'base64url'), context);
    return JSON.parse(text) as { until: number; secret: NewSecret };
  } catch {
    return undefined;
  }
}
