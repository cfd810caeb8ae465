import type { Request, Response } from 'express';
import type { AvatarCaller } from '../../../db/platform/database';
import {
  readEmbedCookie,
  readVisitCookie,
  setEmbedCookie,
  setVisitCookie,
} from '../../platform/portal/interview-cookie';
import { sendMissingPage } from '../../platform/portal/notice';
import { embedIdOf, embedPageOf } from '../embed/embed-entry-point';
import { sendEmbedNotice } from '../embed/embed-notice';

/** Where the page of a public avatar is: at its own address, or in a frame of another site. */
export type AvatarEntryPoint = {
  route: string;
  /** Returns the avatar at this address, or undefined if something else may be there. */
  avatarOf: (request: Request, response: Response) => AvatarCaller['avatar'] | undefined;
  pathOf: (request: Request) => string;
  /** Returns the tokens of visits that the browser has for this avatar. */
  tokensOf: (request: Request, isHttps: boolean) => string[];
  keepToken: (request: Request, response: Response, token: string, isHttps: boolean) => void;
  sendMissing: (request: Request, response: Response) => void;
};

const slugOf = (request: Request): string => String(request.params['slug']);

/** The page of a public avatar at `/talk/<slug>`. */
export const talkEntryPoint: AvatarEntryPoint = {
  route: '/talk/:slug',
  avatarOf: (request) => {
    const slug = slugOf(request);
    return /^[a-z0-9-]{1,200}$/.test(slug) ? { slug } : undefined;
  },
  pathOf: (request) => `/talk/${slugOf(request)}/`,
  tokensOf: (request, isHttps) => readVisitCookie(request, slugOf(request), isHttps),
  keepToken: (request, response, token, isHttps) =>
    setVisitCookie(response, { slug: slugOf(request), token, isHttps }),
  sendMissing: sendMissingPage,
};

/** The page of a public avatar in a frame. It needs no token of the merchant, because the avatar is open to everyone. */
export const embeddedAvatarEntryPoint: AvatarEntryPoint = {
  route: '/embed/:embed_id',
  avatarOf: (request, response) =>
    embedPageOf(response).is_avatar ? { embedId: embedIdOf(request) } : undefined,
  pathOf: (request) => `/embed/${embedIdOf(request)}/`,
  tokensOf: (request, isHttps) => readEmbedCookie(request, embedIdOf(request), isHttps),
  keepToken: (request, response, token, isHttps) =>
    setEmbedCookie(response, { embedId: embedIdOf(request), token, isHttps }),
  sendMissing: (_request, response) => {
    const page = embedPageOf(response);
    sendEmbedNotice(response, page, page.is_revoked ? 'key_revoked' : 'not_public');
  },
};
