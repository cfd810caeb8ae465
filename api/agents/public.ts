import type { createOauthProvider as create } from './oauth/provider';

/* Exports that other domains may use. */
export { addConnectPage } from './connect-page';
export { createMcpEndpoint } from './mcp-endpoint';
export { issuerOf, resourceOf } from './oauth/addresses';
export { oauthRouter } from './oauth/oauth-router';

/** Creates the authorization server. `oidc-provider` is loaded only here, because the build and most tests do not need it. */
export const createOauthProvider = async (
  ...deps: Parameters<typeof create>
): Promise<ReturnType<typeof create>> => (await import('./oauth/provider.js')).createOauthProvider(...deps);
