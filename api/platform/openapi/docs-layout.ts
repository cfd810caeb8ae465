import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { html } from '../text/html';
import type { Html } from '../text/html';
import { guideStyle, headerStyle } from './docs-style';
import { faviconPath } from '../site/favicon';

const hashOf = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 16);

/** A file with its hash in its address, so that browsers cache it permanently. */
export type Asset = { place: string; type: string; content: string | Buffer };

export const createAsset = (name: string, type: string, content: string | Buffer): Asset => ({
  place: `/docs/assets/${name.replace('.', `-${hashOf(content)}.`)}`,
  type,
  content,
});

export const styleAsset = createAsset('docs.css', 'text/css', headerStyle + guideStyle);
/** The reference has its own style. From us it gets only the links between the areas. */
const headerAsset = createAsset('header.css', 'text/css', headerStyle);
export const styleAssets = [styleAsset, headerAsset];

const areas = [
  { place: '/docs', label: 'Guide' },
  { place: '/docs/reference', label: 'API reference' },
  { place: '/docs/reference/webhooks', label: 'Webhook reference' },
] as const;
export type Area = (typeof areas)[number]['place'];

export type DocsPage = { title: string; area: Area; head?: Html; body: Html };

/** Lays out a page of the documentation, with the links between the guide and the references. */
export const layOutDocs = ({ title, area, head, body }: DocsPage): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="${faviconPath}" type="image/svg+xml" />
        <link rel="stylesheet" href="${(area === '/docs' ? styleAsset : headerAsset).place}" />
        ${head}
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header class="areas">
          <nav aria-label="Documentation">
            ${areas.map(
              ({ place, label }) =>
                html`<a href="${place}" ${place === area ? html`aria-current="true"` : null}>${label}</a>`,
            )}
            <a class="aside" href="/console">Console</a>
          </nav>
        </header>
        ${body}
      </body>
    </html>`.text;

/** Sends a file. Its address changes with its content, so browsers never ask for it again. */
export function sendAsset(response: Response, { type, content }: Asset): void {
  response.set({ 'cache-control': 'public, max-age=31536000, immutable' }).type(type).send(content);
}

/**
 * Sends a page that was laid out at startup. Browsers cache it for five minutes and then check whether it has
 * changed.
 */
export function sendDocs(response: Response, page: string, policy: string): void {
  response
    .set({
      'content-security-policy': policy,
      'cache-control': 'public, max-age=300',
      etag: `"${hashOf(page)}"`,
    })
    .type('html')
    .send(page);
}
