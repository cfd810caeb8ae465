import type { Request, Response } from 'express';
import { cookieName, readCookies } from '../site/cookies';

/**
 * The header in which the script of a candidate's page names the interview whose cookie to use. Browsers let no script
 * of another site send this header, because this server does not allow it (CORS).
 */
export const interviewHeader = 'x-interview-id';
/** The same for the page of an embedded interview, which names its embed key. */
export const embedHeader = 'x-embed-id';
/**
 * The header in which that script names the enrolment for which its page was made. The browser may have the cookie of
 * another candidate's link of the same interview since.
 */
export const enrolmentHeader = 'x-enrolment-id';

/**
 * A browser keeps the cookie longer than most links are valid, because an attempt that is running when its link expires
 * may be finished.
 */
const lifetimeMs = 60 * 24 * 3_600_000;
/**
 * The most cookies of one name that are tried. A browser also sends cookies of that name that another host of the
 * domain has set.
 */
const maxCookies = 5;

/** The name of the cookie with the token of a link. A browser can have the links of several interviews. */
const interviewCookie = (interviewId: string, isHttps: boolean): string =>
  cookieName(`interview-${interviewId.toLowerCase()}`, isHttps);

/** Stores the token of an interview's link in the browser, so that the address of the page no longer needs it. */
export const setInterviewCookie = (
  response: Response,
  { interviewId, token, isHttps }: { interviewId: string; token: string; isHttps: boolean },
): void =>
  void response.cookie(interviewCookie(interviewId, isHttps), token, {
    httpOnly: true,
    secure: isHttps,
    sameSite: 'lax',
    path: '/',
    maxAge: lifetimeMs,
  });

const embedCookie = (embedId: string, isHttps: boolean): string =>
  cookieName(`embed-${embedId.toLowerCase()}`, isHttps);

/**
 * Stores the token of an embedded interview in the browser, for pages inside the same site only. Browsers accept the
 * cookie over https and on localhost.
 */
export const setEmbedCookie = (
  response: Response,
  { embedId, token, isHttps }: { embedId: string; token: string; isHttps: boolean },
): void =>
  void response.cookie(embedCookie(embedId, isHttps), token, {
    httpOnly: true,
    secure: true,
    sameSite: 'none',
    partitioned: true,
    path: '/',
    maxAge: lifetimeMs,
  });

/** Returns the tokens that the browser has for this embed key, usually one. The tokens are not verified yet. */
export const readEmbedCookie = (request: Request, embedId: string, isHttps: boolean): string[] =>
  readCookies(request, embedCookie(embedId, isHttps)).slice(0, maxCookies);

/** Returns the tokens that the browser has for this interview, usually one. The tokens are not verified yet. */
export const readInterviewCookie = (request: Request, interviewId: string, isHttps: boolean): string[] =>
  readCookies(request, interviewCookie(interviewId, isHttps)).slice(0, maxCookies);
