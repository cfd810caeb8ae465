/* Addresses of the authorization server, without the library that implements it. */

/** The audience of access tokens for agents. */
export const resourceOf = (origin: string): string => `${origin}/mcp`;
export const issuerOf = (origin: string): string => `${origin}/oauth`;
/** The page of the console on which a person connects an agent. */
export const connectPath = '/agents/connect';
