import path from 'node:path';
import type { Response } from 'express';
import type { VNode } from 'preact';
import { hashOf, readAsset } from '../site/assets';
import type { Asset } from '../site/assets';
import { renderDocument } from '../site/document';
import { paletteFile } from '../site/site-assets';

export const docsAssets = '/docs/assets';
const file = (name: string) => path.join(__dirname, name);
const guideStyle = readAsset('docs.css', [paletteFile, file('header.css'), file('guide.css')], docsAssets);
/** The style of the header on reference pages. The rest of those pages has Scalar's own style. */
const headerStyle = readAsset('header.css', [paletteFile, file('header.css')], docsAssets);
export const styleAssets = [guideStyle, headerStyle];

const areas = [
  { place: '/docs', label: 'Guide' },
  { place: '/docs/reference', label: 'API reference' },
  { place: '/docs/reference/webhooks', label: 'Webhook reference' },
  { place: '/docs/reference/portal', label: 'Portal reference' },
] as const;
export type Area = (typeof areas)[number]['place'];

type DocsPage = { title: string; area: Area; scripts?: readonly Asset[]; body: VNode; policy: string };

/**
 * Renders a page of the documentation with a header that links the guide and the references. Returns a function that
 * sends the page. Browsers cache the page for five minutes and then check whether it has changed.
 */
export function createDocsPage({ title, area, scripts = [], body, policy }: DocsPage) {
  const page = renderDocument({
    title: `${title} · Interview and Coaching Platform API`,
    lang: 'en',
    styles: [area === '/docs' ? guideStyle : headerStyle],
    scripts,
    body: (
      <>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <header class="areas">
          <nav aria-label="Documentation">
            {areas.map(({ place, label }) => (
              <a href={place} aria-current={place === area ? 'true' : undefined}>
                {label}
              </a>
            ))}
            <a class="aside" href="/console">
              Console
            </a>
          </nav>
        </header>
        {body}
      </>
    ),
  });
  const headers = {
    'content-security-policy': policy,
    'cache-control': 'public, max-age=300',
    // The tag is weak, because the page is also sent compressed.
    etag: `W/"${hashOf(page)}"`,
  };
  return (response: Response) => void response.set(headers).type('html').send(page);
}
