import { Router } from 'express';
import type { Request, RequestHandler } from 'express';
import type { Provider } from 'oidc-provider';
import { agentScopes } from '../../../db/agents/agents';
import { refundPoint } from '../../platform/http/address-limit';
import type { AddressLimit } from '../../platform/http/address-limit';
import { onlyMethod } from '../../platform/http/only-method';
import { noteFacts } from '../../platform/http/request-log';
import { issuerOf, resourceOf } from './addresses';

const discoveryPaths = [
  '/.well-known/oauth-authorization-server/oauth',
  '/.well-known/openid-configuration/oauth',
];

/** Serves the authorization server at `/oauth`, and where clients find it and the resource `/mcp`. */
export function oauthRouter(provider: Provider, origin: string, addressLimit: AddressLimit): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const { host, protocol } = new URL(origin);
  const serve = provider.callback();
  provider.on('server_error', ({ req }, err) =>
    (req as Request).log.error({ err }, 'authorization request failed'),
  );
  const serveAs: RequestHandler = (request, response) => {
    // The provider builds addresses from these headers. Callers must not choose them.
    const meter = { databaseMs: 0, merchantId: null, callerId: null };
    noteFacts(request, { operation: 'oauth', profileId: null, meter });
    request.headers.host = host;
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    delete request.headers['x-forwarded-host'];
    // An address that many people share, such as that of a hosted agent, does not pay for tokens that it gets.
    // Registrations and authorization requests store rows without a proven credential, so they always cost a point.
    const isForToken = request.path === '/token';
    response.once('finish', () => {
      if (isForToken && response.statusCode < 400) refundPoint(request);
    });
    // A client that names no right gets the least. Without one, the person would agree and the client be refused.
    if (request.path === '/authorize' && request.query['scope'] === undefined) {
      const added = `${request.url.includes('?') ? '&' : '?'}scope=read`;
      request.url += added;
      request.originalUrl += added;
    }
    void serve(request, response);
  };
  router.all(
    '/.well-known/oauth-protected-resource/mcp',
    onlyMethod('GET'),
    (_request, response) =>
      void response.set('access-control-allow-origin', '*').json({
        resource: resourceOf(origin),
        authorization_servers: [issuerOf(origin)],
        scopes_supported: agentScopes,
        bearer_methods_supported: ['header'],
        resource_name: 'Interview platform',
        resource_documentation: `${origin}/docs/agents`,
      }),
  );
  router.all(discoveryPaths, onlyMethod('GET'), (request, response, next) => {
    request.url = '/oauth/.well-known/oauth-authorization-server';
    request.originalUrl = request.url;
    next();
  });
  router.use('/oauth', addressLimit.guard(), serveAs);
  return router;
}
