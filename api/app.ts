import express from 'express';
import type { Express, RequestHandler } from 'express';
import helmet from 'helmet';
import type { Provider } from 'oidc-provider';
import type { Logger } from 'pino';
import type { TokenSigner, TokenVerifier } from '../db/platform/tokens';
import { createPortalChallenge } from './account/portal-challenge';
import { createMcpEndpoint, oauthRouter } from './agents/public';
import { createApplicationLimits } from './catalogue/apply';
import { cataloguePages } from './catalogue/catalogue';
import { createMarkdownCompiler } from './catalogue/markdown-pages';
import type { ApiConfig } from './config';
import { consolePages } from './console';
import type { OperationDeps } from './deps';
import { createTokenEndpoint } from './identity/auth-token';
import { createHeyGenHook } from './interviews/heygen-hook';
import { operations } from './operations';
import { createSendgridHook } from './people/sendgrid-events';
import { createTwilioHook } from './people/twilio-hook';
import { callerAccess } from './platform/http/access';
import { limitAddresses } from './platform/http/address-limit';
import { createAuthenticate } from './platform/http/authenticate';
import { bindOperation, storeCredential } from './platform/http/bind-operation';
import { compressReplies } from './platform/http/compress-replies';
import { errorReply } from './platform/http/error-reply';
import { hostName } from './platform/http/host-name';
import { onHost, onOtherHosts } from './platform/http/host-routing';
import type { ApiMetrics } from './platform/http/metrics';
import { onlyMethod } from './platform/http/only-method';
import { trustProxies } from './platform/http/proxies';
import type { CreateLimit } from './platform/http/rate-limit';
import { requestLog } from './platform/http/request-log';
import { guidePages } from './platform/openapi/guide';
import { openApiPages } from './platform/openapi/page';
import { ApiError } from './platform/operation/api-error';
import { brandRouter } from './platform/portal/brand';
import { merchantHosts } from './platform/portal/merchant-hosts';
import { limitVisitors } from './platform/portal/visitor-credential';
import { assetRouter } from './platform/site/assets';
import { favicon } from './platform/site/favicon';
import { frontPage } from './platform/site/front-page';
import { siteAssets } from './platform/site/site-assets';
import { portalPages } from './portal-router';
import { builderScript } from './reports/pages/builder-script';
import { createStoredFileEndpoint } from './results/files';
import { createVisitLimits } from './taking/avatar/visit-limits';
import { createCandidateOperations } from './taking/candidate-operations';
import { candidateErrorPages, candidatePages } from './taking/candidate-pages';
import { portalOperationList } from './taking/operations';

type AppDeps = OperationDeps & {
  config: Pick<
    ApiConfig,
    | 'ADDRESS_LIMIT_PER_MINUTE'
    | 'AVATAR_VISITS_PER_HOUR'
    | 'JOB_APPLICATIONS_PER_DAY'
    | 'JOB_APPLICATIONS_PER_ADDRESS'
    | 'DNS_SERVERS'
    | 'HEYGEN_WEBHOOK_SECRET'
    | 'PUBLIC_ORIGIN'
    | 'PORTAL_ORIGIN'
    | 'PORTAL_MERCHANT_ID'
    | 'PORTAL_RESERVED_DOMAINS'
    | 'RATE_LIMIT_PER_MINUTE'
    | 'SENDGRID_EVENT_KEY'
    | 'TEMPORAL_NAMESPACE'
    | 'TEMPORAL_UI_URL'
    | 'TRUSTED_PROXIES'
    | 'TWILIO_AUTH_TOKEN'
  >;
  tokens: TokenSigner & TokenVerifier;
  /** Verifies access tokens of agents, which are for `/mcp` only. */
  agentTokens: TokenVerifier;
  /** The authorization server of agents. */
  oauth: Provider;
  createLimit: CreateLimit;
  log: Logger;
  metrics: ApiMetrics;
};

/** Builds the whole HTTP service. The order in which handlers are added is the order in which they see a request. */
export function buildApp(deps: AppDeps): Express {
  const { config, tokens, createLimit, database, links, objects, log, metrics } = deps;
  const isHttps = config.PUBLIC_ORIGIN.startsWith('https:');
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', 'simple');
  app.set('trust proxy', trustProxies(config.TRUSTED_PROXIES));

  app.use(requestLog(log, metrics));
  app.use(helmet({ strictTransportSecurity: isHttps }));
  app.use(compressReplies());
  app.use(requireOneHost);
  app.all('/healthz', onlyMethod('GET'), (_request, response) => void response.json({ status: 'ok' }));
  app.all('/readyz', onlyMethod('GET'), readiness(database.ping));
  if (isHttps) app.use(requireHttps);
  app.use(favicon());
  app.use(assetRouter([...siteAssets, builderScript]));
  app.use('/brand', brandRouter(deps));
  const addressLimit = limitAddresses(createLimit, config.ADDRESS_LIMIT_PER_MINUTE);
  const portalMerchantId = config.PORTAL_MERCHANT_ID ?? null;
  const visitorLimits = limitVisitors(addressLimit, createLimit, {
    perMinute: config.RATE_LIMIT_PER_MINUTE,
    isHttps,
  });
  const portalOperations = createCandidateOperations(deps, {
    addressLimit,
    createLimit,
    isHttps,
    portalOrigin: config.PORTAL_ORIGIN,
    isLimited: config.RATE_LIMIT_PER_MINUTE > 0,
  });
  const { PORTAL_ORIGIN: portalOrigin } = config;
  const pages = createMarkdownCompiler();
  const candidates = candidatePages({
    ...deps,
    isHttps,
    portalOrigin,
    pages,
    visitsPerMinute: config.RATE_LIMIT_PER_MINUTE,
    visitLimits: createVisitLimits(
      createLimit,
      config.ADDRESS_LIMIT_PER_MINUTE > 0,
      config.AVATAR_VISITS_PER_HOUR,
    ),
  });
  const catalogue = {
    database,
    links,
    isHttps,
    portalOrigin,
    visitorLimits,
    pages,
    applicationLimits: createApplicationLimits(createLimit, config.ADDRESS_LIMIT_PER_MINUTE > 0, {
      perJob: config.JOB_APPLICATIONS_PER_DAY,
      perAddress: config.JOB_APPLICATIONS_PER_ADDRESS,
    }),
  };
  app.use(
    onHost(
      config.PORTAL_ORIGIN,
      portalPages({
        ...deps,
        visitorLimits,
        apiOrigin: config.PUBLIC_ORIGIN,
        portalOrigin: config.PORTAL_ORIGIN,
        portalMerchantId,
        operations: portalOperations,
        candidatePages: candidates,
        errorPages: candidateErrorPages(portalOrigin),
        catalogue: cataloguePages({
          ...catalogue,
          hostOf: () => ({ domain: null, merchantId: portalMerchantId }),
        }),
      }),
    ),
  );
  app.use(
    onOtherHosts(
      [config.PORTAL_ORIGIN, config.PUBLIC_ORIGIN],
      merchantHosts({
        database,
        visitorLimits,
        apiOrigin: config.PUBLIC_ORIGIN,
        operations: portalOperations,
        candidatePages: candidates,
        errorPages: candidateErrorPages(portalOrigin),
        catalogue: cataloguePages({ ...catalogue, hostOf: (request) => ({ domain: hostName(request) }) }),
      }),
    ),
  );
  const portalDomains = {
    challenge: createPortalChallenge(config.DNS_SERVERS),
    reserved: [
      ...[config.PUBLIC_ORIGIN, config.PORTAL_ORIGIN].map((origin) => new URL(origin).hostname),
      // These names mean something different in every network, so no merchant can use them for a portal.
      'localhost',
      'local',
      'internal',
      ...config.PORTAL_RESERVED_DOMAINS,
    ],
  };
  const temporalUi = { url: config.TEMPORAL_UI_URL, namespace: config.TEMPORAL_NAMESPACE };
  app.use(
    onHost(
      config.PUBLIC_ORIGIN,
      consolePages({
        ...deps,
        addressLimit,
        ratePerMinute: config.RATE_LIMIT_PER_MINUTE,
        publicOrigin: config.PUBLIC_ORIGIN,
        temporalUi,
        portalDomains,
      }),
    ),
  );
  app.all(
    '/.well-known/jwks.json',
    onlyMethod('GET'),
    (_request, response) => void response.json(tokens.publicKeys),
  );
  app.all(
    '/auth/token',
    onlyMethod('POST'),
    addressLimit.guard(),
    createTokenEndpoint({ database, tokens, createLimit }),
  );
  app.all(
    '/hooks/sendgrid',
    onlyMethod('POST'),
    addressLimit.guard(),
    createSendgridHook({ database, verificationKey: config.SENDGRID_EVENT_KEY }),
  );
  app.all(
    '/hooks/twilio',
    onlyMethod('POST'),
    addressLimit.guard(),
    createTwilioHook({ database, authToken: config.TWILIO_AUTH_TOKEN, publicOrigin: config.PUBLIC_ORIGIN }),
  );
  app.all(
    '/hooks/heygen',
    onlyMethod('POST'),
    addressLimit.guard(),
    createHeyGenHook({ temporal: deps.temporal, secret: config.HEYGEN_WEBHOOK_SECRET }),
  );
  app.use(oauthRouter(deps.oauth, config.PUBLIC_ORIGIN, addressLimit));
  app.use('/files', onlyMethod('GET'), createStoredFileEndpoint({ objects }));
  app.use(guidePages(config.PUBLIC_ORIGIN));
  app.use(
    openApiPages({
      operations,
      origin: config.PUBLIC_ORIGIN,
      portalOperations: portalOperationList,
      portalOrigin: config.PORTAL_ORIGIN,
    }),
  );

  const callLimit = createLimit('call', config.RATE_LIMIT_PER_MINUTE);
  const authenticate = addressLimit.authenticate(createAuthenticate(tokens), deps.proven, storeCredential);
  for (const operation of operations)
    app.all(
      `/v1/${operation.name}`,
      onlyMethod(operation.method),
      authenticate,
      bindOperation(operation, deps, callerAccess(deps, operation, callLimit)),
    );

  app.all(
    '/mcp',
    ...createMcpEndpoint({
      deps,
      operations,
      authenticate: createAuthenticate(deps.agentTokens),
      addressLimit,
      callLimit,
      createLimit,
      origin: config.PUBLIC_ORIGIN,
    }),
  );

  app.use(frontPage());
  app.use(() => {
    throw new ApiError('not_found', 'There is nothing at this address. See /docs for the operations.');
  });
  app.use(errorReply);
  return app;
}

const readiness =
  (ping: () => Promise<void>): RequestHandler =>
  async (_request, response) => {
    await ping();
    response.json({ status: 'ready' });
  };

/**
 * Rejects requests with no Host header or with several. By default, Node replies 400 without a body if the header is
 * missing, and uses the first header if there are several.
 */
const requireOneHost: RequestHandler = ({ httpVersion, headersDistinct: { host = [] } }, _response, next) => {
  if (httpVersion === '1.1' && host.length === 0)
    throw new ApiError('invalid_request', 'The Host header is missing.');
  if (host.length > 1) throw new ApiError('invalid_request', 'The request has more than one Host header.');
  next();
};

/**
 * Rejects requests that the client sent over plain HTTP. Behind a trusted proxy, Express reads the client's protocol
 * from the `X-Forwarded-Proto` header.
 */
const requireHttps: RequestHandler = (request, _response, next) => {
  if (!request.secure) throw new ApiError('https_required', 'Use https.');
  next();
};
