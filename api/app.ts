import { randomUUID } from 'node:crypto';
import express from 'express';
import type { Express, RequestHandler } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { ApiConfig } from './config';
import { ApiError } from './contracts/api-error';
import { createAuthenticate } from './http/authenticate';
import { credentialOf } from './http/bind-operation';
import { errorReply } from './http/error-reply';
import type { ApiMetrics } from './http/metrics';
import { openApiPages } from './http/openapi-page';
import { limitRate } from './http/rate-limit';
import { requestLog } from './http/request-log';
import { createTokenEndpoint } from './operations/auth-token';
import { operations } from './operations/all';
import type { OperationDeps } from './operations/deps';
import type { TokenSigner, TokenVerifier } from '../db/tokens';

export type AppDeps = OperationDeps & {
  config: Pick<ApiConfig, 'PUBLIC_ORIGIN' | 'RATE_LIMIT_PER_MINUTE' | 'TRUSTED_PROXIES'>;
  tokens: TokenSigner & TokenVerifier;
  log: Logger;
  metrics: ApiMetrics;
};

/** The whole HTTP service; the order of its parts is the order a request meets them. */
export function buildApp(deps: AppDeps): Express {
  const { config, tokens, database, log, metrics } = deps;
  const isHttps = config.PUBLIC_ORIGIN.startsWith('https:');
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', config.TRUSTED_PROXIES);

  app.use(requestLog(log, metrics));
  app.use(helmet({ strictTransportSecurity: isHttps }));
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  app.get('/readyz', readiness(database.ping));
  if (isHttps) app.use(refusePlainHttp);
  app.get('/.well-known/jwks.json', (_request, response) => void response.json(tokens.publicKeys));
  app.all('/auth/token', only('POST'), ...createTokenEndpoint({ database, tokens }));
  app.use(
    openApiPages(
      operations.map(({ operation }) => operation),
      config.PUBLIC_ORIGIN,
    ),
  );

  const authenticate = createAuthenticate(tokens);
  const rateLimit = limitRate(config.RATE_LIMIT_PER_MINUTE, credentialOf);
  const leaveCredential: RequestHandler = async (request, response, next) => {
    response.locals['credential'] = await authenticate(request);
    next();
  };
  for (const { operation, bind } of operations)
    app.all(`/v1/${operation.name}`, only(operation.method), leaveCredential, rateLimit, bind(deps));

  app.use(() => {
    throw new ApiError(404, 'There is nothing at this address; /docs describes what there is');
  });
  app.use(errorReply);
  return app;
}

/** 405 with `Allow` for another method; OPTIONS answers as HTTP says. */
function only(method: 'GET' | 'POST'): RequestHandler {
  const allow = method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
  return (request, response, next) => {
    if (request.method === method || (method === 'GET' && request.method === 'HEAD')) return next();
    response.setHeader('allow', allow);
    if (request.method !== 'OPTIONS') throw new ApiError(405, `Only ${allow} are allowed here`);
    response.status(200).end();
  };
}

const readiness =
  (ping: () => Promise<void>): RequestHandler =>
  async (_request, response) => {
    await ping();
    response.json({ status: 'ready' });
  };

/** HTTPS only: behind a trusted proxy `X-Forwarded-Proto` says how the request came. */
const refusePlainHttp: RequestHandler = (request, _response, next) => {
  if (!request.secure) throw new ApiError(403, 'Use https');
  next();
};

/** Node answers what it cannot parse by itself; the reply has the shape of every other error. */
export function plainErrorReply(message: string): string {
  const body = JSON.stringify({ error: message });
  return [
    'HTTP/1.1 422 Unprocessable Entity',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
