import { Router } from 'express';
import type { RequestHandler } from 'express';
import { ApiError } from '../operation/api-error';

/** Redirects `/` to the catalogue, on a host that has one. */
export const redirectToCatalogue: RequestHandler = (_request, response) => {
  response.set('cache-control', 'no-store').redirect(302, '/catalogue/');
};

/**
 * Replies with a JSON 404 to paths of the API, because only a program that confuses the portal's host with the API's
 * host requests them.
 */
export const rejectApiPaths = (apiOrigin: string): Router =>
  Router({ caseSensitive: true }).use(['/v1', '/docs', '/auth'], () => {
    throw new ApiError('not_found', `This is the portal; the API is at ${apiOrigin}/v1.`);
  });
