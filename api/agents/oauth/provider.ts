import { createHash } from 'node:crypto';
import type { Response } from 'express';
import type { JWK } from 'jose';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { errors, interactionPolicy, Provider } from 'oidc-provider';
import { agentScopes } from '../../../db/agents/agents';
import { extendAgentSession } from '../../../db/agents/oauth';
import type { Database } from '../../../db/platform/database';
import type { Seal } from '../../../db/platform/sealed';
import type { WebhookTargets } from '../../platform/text/webhook-url';
import { createAdapter } from './adapter';
import { connectPath, issuerOf, resourceOf } from './addresses';
import { sendOauthError } from './error-page';
import { createGuardedFetch } from './guarded-fetch';
import { refreshOnce } from './refresh-once';

export type OauthDeps = {
  database: Pick<Database, 'query' | 'write'>;
  seal: Seal;
  webhookTargets: WebhookTargets;
  /** The keys that sign access tokens, with their private parts. */
  signingKeys: { keys: JWK[] };
  origin: string;
};

const accessTokenSeconds = 3_600;
const refreshTokenSeconds = 30 * 86_400;
const connectSeconds = 3_600;
const scope = agentScopes.join(' ');

/** The largest metadata document of a client, in bytes. */
const maxDocumentBytes = 16_384;

/**
 * Creates the authorization server of agents (docs/agents.md). A person signs in and agrees on a page of the console, which
 * opens a session; the id of the grant is the id of that session. Access tokens are for `/mcp` only.
 */
export function createOauthProvider({
  database,
  seal,
  webhookTargets,
  signingKeys,
  origin,
}: OauthDeps): Provider {
  const resource = resourceOf(origin);
  const configuration: Configuration = {
    adapter: createAdapter({ database, seal }),
    jwks: {
      keys: signingKeys.keys.map((key) => ({ ...key, alg: 'ES256', use: 'sig' })),
    },
    cookies: {
      keys: [
        createHash('sha256')
          .update(JSON.stringify(signingKeys.keys.map(({ d }) => d)))
          .digest('hex'),
      ],
      long: { signed: true },
      short: { signed: true },
    },
    fetch: createGuardedFetch(webhookTargets),
    fetchResponseBodyLimits: {
      'client_id metadata document': maxDocumentBytes,
      jwks_uri: maxDocumentBytes,
      sector_identifier_uri: maxDocumentBytes,
    },
    clientAuthMethods: ['none', 'private_key_jwt'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
      authorization_signed_response_alg: 'ES256',
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    responseTypes: ['code'],
    scopes: ['offline_access', ...agentScopes],
    pkce: { required: () => true },
    routes: { authorization: '/authorize', registration: '/register' },
    rotateRefreshToken: true,
    issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
    ttl: {
      AccessToken: accessTokenSeconds,
      AuthorizationCode: 60,
      Grant: refreshTokenSeconds * 12,
      Interaction: connectSeconds,
      RefreshToken: refreshTokenSeconds,
      Session: connectSeconds,
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      revocation: { enabled: true },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, asked) => {
          if (asked !== resource) throw new errors.InvalidTarget();
          return {
            scope,
            audience: resource,
            accessTokenTTL: accessTokenSeconds,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
          };
        },
      },
    },
    interactions: {
      url: (_context, { uid }) => `/console${connectPath}/${uid}`,
      policy: alwaysAsk(),
    },
    // A person agrees each time, so an earlier agreement in the same browser counts for nothing.
    loadExistingGrant: (context) => {
      const { consent } = context.oidc.result ?? {};
      return consent?.grantId === undefined
        ? Promise.resolve(undefined)
        : context.oidc.provider.Grant.find(consent.grantId);
    },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    extraTokenClaims: async (_context, token) => {
      const sessionId = 'grantId' in token ? token.grantId : undefined;
      const session = sessionId
        ? await database.write({ kind: 'sign_in' }, (trx) => trx.maybeOne(extendAgentSession(sessionId)))
        : undefined;
      if (!session) throw new errors.InvalidGrant('the connection has ended');
      return {
        session_id: sessionId,
        role: session.role,
        merchant_id: session.merchant_id,
        environment: session.environment,
      };
    },
    renderError: (context: KoaContextWithOIDC, out) => {
      context.respond = false;
      sendOauthError(context.res as Response, out);
    },
  };
  const provider = new Provider(issuerOf(origin), configuration);
  // The handler of /oauth sets the headers that the provider trusts (oauth-router.ts).
  provider.proxy = true;
  // Anyone can register a client with any address, so nothing leads a browser there before a person has seen it.
  provider.on('authorization.error', (context, error) => {
    if (context.oidc.route === 'authorization') Object.assign(error, { allow_redirect: false });
  });
  refreshOnce(provider, { database, seal });
  return provider;
}

/** Asks the person for every authorization, also if the client asks for no scope. */
function alwaysAsk() {
  const policy = interactionPolicy.base();
  policy
    .get('consent')
    ?.checks.add(
      new interactionPolicy.Check('always', 'the person must agree', (context) =>
        context.oidc.result?.consent
          ? interactionPolicy.Check.NO_NEED_TO_PROMPT
          : interactionPolicy.Check.REQUEST_PROMPT,
      ),
    );
  return policy;
}
