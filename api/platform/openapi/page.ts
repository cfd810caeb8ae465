import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Router } from 'express';
import type { RequestHandler } from 'express';
import type { Operation } from '../operation/define-operation';
import { onlyMethod } from '../http/only-method';
import { buildOpenApiDocument } from './document';
import { buildWebhooksDocument } from '../../webhooks/public';

/** A page that shows the document at this path, with a way to the other one. */
const page = (title: string, document: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<nav class="swagger-ui"><div class="wrapper"><a href="/docs">Guide</a> <a href="/docs/reference">Operations</a> <a href="/docs/reference/webhooks">Webhooks</a></div></nav>
<div id="reference" data-document="${document}"></div>
<noscript>The same as a document: <a href="${document}">${document}</a></noscript>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const style = `nav .wrapper { display: flex; gap: 1.5em; padding-top: 1em; font: 600 1em sans-serif; }
nav a { color: #3b4151; }
.dark-mode nav a { color: #e4e6e6; }
/* Every error has the same body, which the guide explains: its status and codes are enough. */
.responses-table .response[data-code]:not([data-code^="2"]) :is(.model-example, .headers-wrapper, .response-controls) { display: none; }
/* What the platform sends cannot be tried out: no servers to choose, no values to enter. */
[data-document$="/openapi-webhooks"] :is(.scheme-container, .parameters input, .parameters select) { display: none; }
`;

const start = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
/** Swagger UI says "No operations defined" above the webhooks of a document that has only these. */
const withoutEmptyOperations = {
  wrapComponents: {
    operations: (Original, { React, specSelectors }) => (properties) =>
      specSelectors.taggedOperations().size === 0 ? null : React.createElement(Original, properties),
  },
};
window.ui = SwaggerUIBundle({
  url: document.getElementById('reference').dataset.document,
  plugins: [withoutEmptyOperations],
  persistAuthorization: true,
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

/** The two files of swagger-ui-dist that the page loads. */
const assetTypes = { 'swagger-ui.css': 'text/css', 'swagger-ui-bundle.js': 'text/javascript' };

/** Everything comes from this host; Swagger UI styles its elements inline and draws with data images. */
const contentSecurityPolicy: RequestHandler = (_request, response, next) => {
  response.setHeader(
    'content-security-policy',
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  next();
};

/**
 * `/v1/openapi` and `/v1/openapi-webhooks`, and `/docs/reference` and `/docs/reference/webhooks` that show them readable with no script from
 * another host.
 */
export function openApiPages(operations: readonly Operation[], origin: string): Router {
  const documents = {
    '/v1/openapi': buildOpenApiDocument(operations, `${origin}/v1`),
    '/v1/openapi-webhooks': buildWebhooksDocument(`${origin}/v1`),
  };
  const pages = {
    '/docs/reference': page('Interview and Coaching Platform API', '/v1/openapi'),
    '/docs/reference/webhooks': page('Interview and Coaching Platform webhooks', '/v1/openapi-webhooks'),
  };
  const assets = path.dirname(require.resolve('swagger-ui-dist/package.json'));
  const router = Router({ caseSensitive: true, strict: true });
  for (const [place, document] of Object.entries(documents)) {
    const text = JSON.stringify(document);
    router.all(place, onlyMethod('GET'), (_request, response) => {
      response.type('application/json').send(text);
    });
  }
  for (const [place, html] of Object.entries(pages))
    router.all(place, onlyMethod('GET'), contentSecurityPolicy, (_request, response) => {
      response.type('html').send(html);
    });
  router.all('/docs/page.css', onlyMethod('GET'), (_request, response) => {
    response.type('text/css').send(style);
  });
  router.all('/docs/start.js', onlyMethod('GET'), (_request, response) => {
    response.type('text/javascript').send(start);
  });
  for (const [file, type] of Object.entries(assetTypes)) {
    const content = readFileSync(path.join(assets, file));
    router.all(`/docs/assets/${file}`, onlyMethod('GET'), (_request, response) => {
      response.type(type).setHeader('cache-control', 'public, max-age=3600').send(content);
    });
  }
  return router;
}
