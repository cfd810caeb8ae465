import { Router } from 'express';
import type { RequestHandler } from 'express';
import { ApiError } from '../operation/api-error';

/** Redirects `/` on a host with a catalogue to the catalogue. */
export const redirectToCatalogue: RequestHandler = (_request, response) => {
  response.set('cache-control', 'no-store').redirect(302, '/catalogue/');
};

/** A client that takes a portal's host for the API's is a program, so it gets JSON. */
export const rejectApiPaths = (apiOrigin: string): Router =>
  Router({ caseSensitive: true }).use(['/v1', '/docs', '/auth'], () => {
    throw new ApiError(404, `This is the portal; the API is at ${apiOrigin}/v1`);
  });
