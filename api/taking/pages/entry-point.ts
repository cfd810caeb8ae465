import type { Request, Response } from 'express';
import type { InterviewLink, LinkTokens, OpenedLink } from '../../../db/platform/link-tokens';
import { interviewHeader, readInterviewCookie } from '../../platform/portal/interview-cookie';
import { sendInvalidLink } from '../../platform/portal/notice';

export type CallHeader = readonly [name: string, value: string];

/** Where the pages of an interview are, and which cookies open them. */
export type EntryPoint = {
  /** The path of the pages, as a pattern for the router. */
  route: string;
  /** True for the pages that are shown inside other sites. */
  isEmbedded: boolean;
  /** Returns the header with which the page's script selects the cookie for its calls. */
  callHeaderOf: (request: Request) => CallHeader;
  /** Returns the path of the requested interview's pages, without a slash at the end. */
  pathOf: (request: Request) => string;
  /** Returns the tokens that the browser sent for these pages. They are not verified yet. */
  tokensOf: (request: Request, isHttps: boolean) => string[];
  /** Verifies one of these tokens. Returns undefined if the token is not valid for the requested interview. */
  open: (
    links: LinkTokens,
    request: Request,
    token: string,
  ) => Promise<OpenedLink<InterviewLink> | undefined>;
  /** Replies to a request that has no token of an existing link. */
  sendMissing: (request: Request, response: Response) => void;
};

export const interviewIdOf = (request: Request): string =>
  String(request.params['interview_id']).toLowerCase();

/** The pages of a candidate's link. */
export const linkEntryPoint: EntryPoint = {
  route: '/interview/take/:interview_id',
  isEmbedded: false,
  callHeaderOf: (request) => [interviewHeader, interviewIdOf(request)],
  pathOf: (request) => `/interview/take/${interviewIdOf(request)}`,
  tokensOf: (request, isHttps) => readInterviewCookie(request, interviewIdOf(request), isHttps),
  open: async (links, request, token) => {
    const link = await links.openInterviewLink(token);
    return link?.interviewId === interviewIdOf(request) ? link : undefined;
  },
  sendMissing: sendInvalidLink,
};
