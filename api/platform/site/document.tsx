import type { Response } from 'express';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { oneLine } from '../text/one-line';
import type { Asset } from './assets';
import { faviconPath } from './favicon';
import { sendInParts } from './later';

type Document = {
  title: string;
  lang: string;
  dir?: 'ltr' | 'rtl';
  styles: readonly Pick<Asset, 'place'>[];
  scripts?: readonly Asset[];
  body: VNode;
  /** Further elements of the head, for programs that read the page. */
  head?: ComponentChildren;
  /** True if search engines may list the page. */
  isIndexed?: boolean;
  status?: number | undefined;
  /** The origins from which the page may play media. */
  mediaOrigins?: readonly string[] | undefined;
  /** Origins, besides the page's own, to which the scripts of the page may connect. */
  connectOrigins?: readonly string[] | undefined;
  /** Origins, besides the page's own, to which a form of the page may be redirected. */
  formOrigins?: readonly string[] | undefined;
  /** True if the page shows images, which it may load from any host over https. */
  hasImages?: boolean;
  /** What replaces `laterMark` in the page, as HTML, once it is there. */
  later?: Promise<string> | undefined;
  /** True if the page may use the microphone and the camera, and play what it has recorded. */
  usesDevices?: boolean;
};

/** Renders a whole HTML document. */
export const renderDocument = ({ title, lang, dir, styles, scripts = [], body, head }: Document): string =>
  `<!doctype html>${renderToString(
    <html lang={lang} dir={dir}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{oneLine(title)}</title>
        <link rel="icon" href={faviconPath} type="image/svg+xml" />
        {head}
        {styles.map(({ place }) => (
          <link rel="stylesheet" href={place} />
        ))}
        {scripts.map(({ place }) => (
          <script src={place} defer />
        ))}
      </head>
      <body>{body}</body>
    </html>,
  )}`;

const framers = new WeakMap<Response, readonly string[]>();

/** Lets pages of these origins, and of the page's own origin, frame the page that is sent with this response. */
export const allowFraming = (response: Response, origins: readonly string[]): void =>
  void framers.set(response, origins);

/**
 * Sends a page. The page may load only its own style and scripts, from this host. No other page can frame it, except
 * those that `allowFraming` named.
 */
export function sendDocument(response: Response, page: Document): void {
  const { status = 200, scripts = [], mediaOrigins = [], formOrigins = [], connectOrigins = [] } = page;
  const { hasImages = false, usesDevices = false, isIndexed = false } = page;
  const media = [...mediaOrigins, ...(usesDevices ? ['blob:'] : [])];
  const origins = framers.get(response);
  const ancestors = origins ? ["'self'", ...origins] : ["'none'"];
  // Browsers would also apply this older header, which cannot allow single origins.
  if (origins) response.removeHeader('x-frame-options');
  const policy = [
    "default-src 'none'",
    // Allows the icon and, on pages with images, any https address.
    `img-src 'self'${hasImages ? ' https:' : ''}`,
    ...(media.length === 0 ? [] : [`media-src ${media.join(' ')}`]),
    "style-src 'self'",
    ...(scripts.length === 0
      ? []
      : ["script-src 'self'", ["connect-src 'self'", ...connectOrigins].join(' ')]),
    ["form-action 'self'", ...formOrigins].join(' '),
    `frame-ancestors ${ancestors.join(' ')}`,
    "base-uri 'none'",
  ];
  response
    .status(status)
    .set({
      'content-security-policy': policy.join('; '),
      'permissions-policy': usesDevices ? 'camera=(self), microphone=(self)' : 'camera=(), microphone=()',
      'cache-control': 'no-store',
      ...(isIndexed ? {} : { 'x-robots-tag': 'noindex' }),
    })
    .type('html');
  const html = renderDocument(page);
  if (page.later) sendInParts(response, html, page.later);
  else response.send(html);
}
