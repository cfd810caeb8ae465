import type { Request, Response } from 'express';
import { cookieName, readCookies } from '../site/cookies';

/**
 * The header in which the script of a candidate's page names the interview whose cookie to use. Scripts of other
 * sites cannot send it, because this server's CORS headers do not allow it.
 */
export const interviewHeader = 'x-interview-id';
/** The header in which the script of an embedded interview's page sends the `embed_id` whose cookie to use. */
export const embedHeader = 'x-embed-id';
/**
 * The header in which a page's script names the enrolment for which the page was made. The server compares it with
 * the link in the cookie, because opening another candidate's link to the same interview replaces the cookie.
 */
export const enrolmentHeader = 'x-enrolment-id';

/**
 * The lifetime of the cookie. It is longer than that of most links, because a running attempt may be finished after
 * its link expires.
 */
const lifetimeMs = 60 * 24 * 3_600_000;
/** The most cookies of one name that are tried. Another host of the domain may have set cookies of the same name. */
const maxCookies = 5;

/**
 * The name of the cookie with the token of a link. It contains the interview's id, because a browser can have links
 * to several interviews.
 */
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
 * Stores the token of an embedded interview in the browser. The browser sends the cookie only while the interview is
 * embedded in the same site as now. Browsers accept the cookie over https and on localhost.
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

const visitCookie = (slug: string, isHttps: boolean): string => cookieName(`talk-${slug}`, isHttps);

/** Stores the token of a visit at the page of a public avatar, until the browser is closed. */
export const setVisitCookie = (
  response: Response,
  { slug, token, isHttps }: { slug: string; token: string; isHttps: boolean },
): void =>
  void response.cookie(visitCookie(slug, isHttps), token, {
    httpOnly: true,
    secure: isHttps,
    sameSite: 'lax',
    path: '/',
  });

/** Returns the tokens that the browser has for this public avatar, usually one. The tokens are not verified yet. */
export const readVisitCookie = (request: Request, slug: string, isHttps: boolean): string[] =>
  readCookies(request, visitCookie(slug, isHttps)).slice(0, maxCookies);

/** Returns the tokens that the browser has for this embed key, usually one. The tokens are not verified yet. */
export const readEmbedCookie = (request: Request, embedId: string, isHttps: boolean): string[] =>
  readCookies(request, embedCookie(embedId, isHttps)).slice(0, maxCookies);

/** Returns the tokens that the browser has for this interview, usually one. The tokens are not verified yet. */
export const readInterviewCookie = (request: Request, interviewId: string, isHttps: boolean): string[] =>
  readCookies(request, interviewCookie(interviewId, isHttps)).slice(0, maxCookies);
