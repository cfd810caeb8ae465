import { Router } from 'express';
import type { VNode } from 'preact';
import { readObject } from '../../../db/platform/object-store';
import type { ObjectStore } from '../../../db/platform/object-store';
import { onlyMethod } from '../http/only-method';
import { ApiError } from '../operation/api-error';
import { brandColors, logoAddress } from '../text/brand';

/** What a merchant's pages look like. Null is what all pages have. */
export type Brand = {
  accent_color: string | null;
  /** The path of the logo in the object store. */
  logo_path: string | null;
};

/** Returns the style sheet with the merchant's accent color, if it has one. It must follow the page's own. */
export const brandStyles = ({ accent_color: color }: Brand): { place: string }[] =>
  color === null ? [] : [{ place: `/brand/${color.slice(1)}.css` }];

/** The merchant's logo, if it has one. The name of the merchant must stand next to it. */
export const Logo = ({ logo_path: path }: Brand): VNode | null =>
  path === null ? null : <img class="logo" src={logoAddress(path)} alt="" />;

const immutable = 'public, max-age=31536000, immutable';
const logoPath = /^[0-9a-f-]{36}\/logo\/[0-9a-f]{32}\.png$/;

/**
 * Serves accent colors and logos under `/brand`, on every host. A style sheet follows from the color in its address. The
 * address of a logo contains the hash of the picture, so it never changes, and only the merchant's pages and mails tell it.
 */
export function brandRouter({ objects }: { objects: Pick<ObjectStore, 'get'> }): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.all('/:color.css', onlyMethod('GET'), (request, response, next) => {
    const color = String(request.params['color']);
    if (!/^[0-9a-f]{6}$/.test(color)) return next();
    response
      .set('cache-control', immutable)
      .type('css')
      .send(styleOf(`#${color}`));
  });
  router.all('/:merchant/logo/:file', onlyMethod('GET'), async (request, response, next) => {
    const path = request.path.slice(1);
    const file = logoPath.test(path) ? await readObject(objects, path) : undefined;
    if (!file) return next();
    response
      .set({ 'cache-control': immutable, 'cross-origin-resource-policy': 'cross-origin' })
      .type('png')
      .send(file);
  });
  router.use(() => {
    throw new ApiError('not_found', 'There is nothing at this address.');
  });
  return router;
}

function styleOf(color: string): string {
  const { light, dark } = brandColors(color);
  return `:root { --accent: ${light.accent}; --on-accent: ${light.onAccent}; }
@media (prefers-color-scheme: dark) { :root { --accent: ${dark.accent}; --on-accent: ${dark.onAccent}; } }
`;
}
