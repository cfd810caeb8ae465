import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { Html, html } from '../text/html';
import { faviconPath } from './favicon';

/** The colors of every page, light and dark. `--accent` is a background on which `--on-accent` is readable. */
export const palette = `
  :root { color-scheme: light dark; --ink: #1d2430; --soft: #566072; --line: #d8dde6; --paper: #fff; --ground: #f3f5f8; --accent: #1a56c4; --on-accent: #fff; --good: #1b6e3c; --warn: #8a5300; --bad: #b3261e; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #e6eaf0; --soft: #a3adbc; --line: #333c49; --paper: #1a2028; --ground: #11151a; --accent: #86b1ff; --on-accent: #10151c; --good: #7fd49b; --warn: #f0b860; --bad: #ff9b92; }
  }
  * { box-sizing: border-box; }
`;

export type HtmlPage = {
  title: string;
  lang: string;
  dir: 'ltr' | 'rtl';
  body: Html;
  /** The origins of the media that the page plays. */
  mediaOrigins?: readonly string[];
  /** Whether the page shows images, which may come from any host over https. */
  hasImages?: boolean;
};

/**
 * Creates a function that sends pages in one style: no content from other hosts, no frame around them, no inline
 * script. `script` is the address of this host's own script, if the pages have one.
 */
export function createPageSender(style: string, script?: string) {
  // The policy contains a hash of the style, so no template may change its formatting.
  const styleElement = new Html(`<style>${style}</style>`);
  const policy = (mediaOrigins: readonly string[], hasImages: boolean) => [
    "default-src 'none'",
    // The icon and, on pages with images, anything over https.
    `img-src 'self'${hasImages ? ' https:' : ''}`,
    ...(mediaOrigins.length === 0 ? [] : [`media-src ${mediaOrigins.join(' ')}`]),
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    ...(script === undefined ? [] : ["script-src 'self'", "connect-src 'self'"]),
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  const scriptElement = script === undefined ? null : html`<script src="${script}" defer></script>`;

  return (
    response: Response,
    status: number,
    { title, lang, dir, body, mediaOrigins = [], hasImages = false }: HtmlPage,
  ): void => {
    const page = html`<!doctype html>
      <html lang="${lang}" dir="${dir}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title}</title>
          <link rel="icon" href="${faviconPath}" type="image/svg+xml" />
          ${styleElement} ${scriptElement}
        </head>
        <body>
          ${body}
        </body>
      </html>`;
    response
      .status(status)
      .set({
        'content-security-policy': policy(mediaOrigins, hasImages).join('; '),
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
      })
      .type('html')
      .send(page.text);
  };
}
