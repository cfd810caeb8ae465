import { Router } from 'express';
import { onlyMethod } from '../http/only-method';

export const faviconPath = '/favicon.svg';

/** A speech bubble with lines. It is recognizable at 16 pixels on light and dark tabs. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  '<path fill="#1a56c4" d="M6 3h20a4 4 0 0 1 4 4v13a4 4 0 0 1-4 4H16l-8 6v-6H6a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4z"/>' +
  '<path stroke="#fff" stroke-width="3" stroke-linecap="round" d="M9 11h14M9 17h9"/></svg>';

/** Serves the icon on every host. Browsers request `/favicon.ico` if a page names no icon. */
export function favicon(): Router {
  const router = Router();
  router.all([faviconPath, '/favicon.ico'], onlyMethod('GET'), (_request, response) => {
    response.set('cache-control', 'public, max-age=86400').type('image/svg+xml').send(icon);
  });
  return router;
}
