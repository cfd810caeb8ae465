import type { Request, Response } from 'express';
import type { EmbedPage } from '../../../db/taking/embeds';
import { embedHeader, readEmbedCookie } from '../../platform/portal/interview-cookie';
import type { EntryPoint } from '../pages/entry-point';
import { sendEmbedNotice } from './embed-notice';

export const embedIdOf = (request: Request): string => String(request.params['embed_id']).toLowerCase();

/** Returns the embed key that the router has found for this request. */
export const embedPageOf = ({ locals }: Response): EmbedPage => locals['embedPage'] as EmbedPage;

/** The pages of an embedded interview. */
export const embedEntryPoint: EntryPoint = {
  route: '/embed/:embed_id',
  isEmbedded: true,
  callHeaderOf: (request) => [embedHeader, embedIdOf(request)],
  pathOf: (request) => `/embed/${embedIdOf(request)}`,
  tokensOf: (request, isHttps) => readEmbedCookie(request, embedIdOf(request), isHttps),
  open: async (links, request, token) => {
    const visit = await links.openEmbedToken(token);
    return visit?.embedId === embedIdOf(request) ? visit : undefined;
  },
  sendMissing: (_request, response) => sendEmbedNotice(response, embedPageOf(response), 'cookie_missing'),
};
