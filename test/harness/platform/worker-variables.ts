/** The variables that a worker requires, for tests that read its configuration and reach none of these servers. */
export const leastWorkerVariables = {
  DATABASE_URL: 'postgres://a:b@127.0.0.1/x',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  SEALING_KEYS: 'k1:AAAA',
  OPENAI_API_KEY: 'key',
  SENDGRID_API_KEY: 'key',
  MAIL_FROM: 'no-reply@example.com',
  PUBLIC_ORIGIN: 'https://api.example.com',
  PORTAL_ORIGIN: 'https://portal.example.com',
  LINK_SIGNING_KEYS: '{"keys":[{"kty":"EC"}]}',
  OBJECT_STORE: 'file:///var/lib/platform/objects',
};
