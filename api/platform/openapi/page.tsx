import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Router } from 'express';
import type { Response } from 'express';
import { buildWebhooksDocument } from '../../webhooks/public';
import { onlyMethod } from '../http/only-method';
import type { Operation, PortalOperation } from '../operation/define-operation';
import { createAsset, readScript, sendAsset } from '../site/assets';
import { createDocsPage, docsAssets } from './docs-layout';
import type { Area } from './docs-layout';
import { buildOpenApiDocument } from './document';
import { llmsFull, llmsIndex } from './llms';
import { buildPortalDocument } from './portal-document';
import { buildPostmanCollection } from './postman';

const startAsset = readScript('reference.js', docsAssets);

/** The content security policy. Scalar needs inline styles and may send requests only to this host. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

type ReferencePage = { title: string; area: Area; document: string; sends: boolean };

const referencePages: readonly ReferencePage[] = [
  { title: 'API reference', area: '/docs/reference', document: '/v1/openapi', sends: true },
  {
    title: 'Webhook reference',
    area: '/docs/reference/webhooks',
    document: '/v1/openapi-webhooks',
    sends: false,
  },
  { title: 'Portal reference', area: '/docs/reference/portal', document: '/portal/openapi', sends: false },
];

type Documented = {
  operations: readonly Operation[];
  origin: string;
  portalOperations: readonly PortalOperation[];
  portalOrigin: string;
};

/**
 * Serves the OpenAPI documents at `/v1/openapi`, `/v1/openapi-webhooks` and `/portal/openapi`, the references that show them
 * at `/docs/reference`, `/docs/reference/webhooks` and `/docs/reference/portal`, and the same as `/postman.json`,
 * `/llms.txt` and `/llms-full.txt`.
 */
export function openApiPages({ operations, origin, portalOperations, portalOrigin }: Documented): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const get = (place: string, send: (response: Response) => void) =>
    router.all(place, onlyMethod('GET'), (_request, response) => send(response));

  const openApi = buildOpenApiDocument(operations, `${origin}/v1`);
  const documents = {
    '/v1/openapi': openApi,
    '/v1/openapi-webhooks': buildWebhooksDocument(`${origin}/v1`),
    '/portal/openapi': buildPortalDocument(portalOperations, `${portalOrigin}/portal/v1`),
    '/postman.json': buildPostmanCollection(operations, `${origin}/v1`),
  };
  for (const [place, document] of Object.entries(documents)) {
    const text = JSON.stringify(document);
    get(place, (response) => void response.type('application/json').send(text));
  }

  const texts = {
    '/llms.txt': llmsIndex(operations, origin),
    '/llms-full.txt': llmsFull(operations, openApi, origin),
  };
  for (const [place, text] of Object.entries(texts))
    get(place, (response) => void response.type('text/plain').send(text));

  const compressed = readFileSync(path.join(__dirname, '../../../docs/assets/scalar.js.gz'));
  const script = gunzipSync(compressed);
  const scalar = { ...createAsset('scalar.js', script, docsAssets), compressed: { gzip: compressed } };
  get(scalar.place, (response) => sendAsset(response, scalar));
  get(startAsset.place, (response) => sendAsset(response, startAsset));

  for (const { title, area, document, sends } of referencePages) {
    const send = createDocsPage({
      title,
      area,
      policy,
      scripts: [scalar, startAsset],
      body: (
        <>
          <div id="content" data-document={document} data-sends={String(sends)} />
          <noscript>
            This reference needs JavaScript. Without it, you can read the OpenAPI document:{' '}
            <a href={document}>{document}</a>
          </noscript>
        </>
      ),
    });
    get(area, send);
  }
  return router;
}
