import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Router } from 'express';
import type { RequestHandler } from 'express';
import type { Operation } from '../contracts/operation';
import { onlyMethod } from './only-method';
import { buildOpenApiDocument } from './openapi-document';

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Interview and Coaching Platform API</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<noscript>The same as a document: <a href="/v1/openapi">/v1/openapi</a></noscript>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const start = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
window.ui = SwaggerUIBundle({
  url: '/v1/openapi',
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

/** `/v1/openapi`, and `/docs` that shows it readable with no script from another host. */
export function openApiPages(operations: readonly Operation[], origin: string): Router {
  const document = JSON.stringify(buildOpenApiDocument(operations, `${origin}/v1`));
  const assets = path.dirname(require.resolve('swagger-ui-dist/package.json'));
  const router = Router({ caseSensitive: true, strict: true });
  router.all('/v1/openapi', onlyMethod('GET'), (_request, response) => {
    response.type('application/json').send(document);
  });
  router.all('/docs', onlyMethod('GET'), contentSecurityPolicy, (_request, response) => {
    response.type('html').send(page);
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
