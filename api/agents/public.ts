/* Exports that other domains may use. */
export { addConnectPage } from './connect-page';
export { createMcpEndpoint } from './mcp-endpoint';
export { oauthRouter } from './oauth/oauth-router';
export { createOauthProvider, issuerOf, resourceOf } from './oauth/provider';
