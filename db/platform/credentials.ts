import { Client } from 'pg';
import {
  createAccessTokens,
  generateRefreshToken,
  generateServiceKey,
  generateSignInToken,
  hashSecret,
  jwkSet,
} from './tokens';
import type { Environment, Role } from './vocabulary';

export type SessionTokens = { access_token: string; refresh_token: string; session_id: string };
export type PersonWithRole = { id: string; merchantId: string | null; role: Role };

/** Runs `work` on a connection with the administrator's login and closes the connection afterwards. */
export async function withAdminConnection<T>(
  adminUrl: string,
  work: (client: Client) => Promise<T>,
  connectionTimeoutMillis = 0,
): Promise<T> {
  const client = new Client({ connectionString: adminUrl, connectionTimeoutMillis });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Opens a session for a person, as a sign-in does, and signs its first access token. The signing keys are a JWK set
 * or a file that holds one.
 */
export async function openPersonSession(
  client: Client,
  { id: profileId, merchantId, role }: PersonWithRole,
  environment: Environment,
  signing: { signingKeys: string; issuer: string; expiresInSeconds?: number },
): Promise<SessionTokens> {
  const { rows } = await client.query<{ id: string }>(
    'insert into session (profile_id, environment) values ($1, $2) returning id',
    [profileId, environment],
  );
  const sessionId = rows[0]?.id ?? '';
  const refreshToken = generateRefreshToken();
  await client.query(
    `insert into refresh_token (hash, session_id, expires_at) values ($1, $2, now() + interval '30 days')`,
    [hashSecret(refreshToken), sessionId],
  );
  const keys = jwkSet.parse(signing.signingKeys);
  const { sign } = await createAccessTokens(keys, signing.issuer);
  const claims = { profileId, sessionId, role, merchantId, environment };
  return {
    access_token: await sign(claims, signing.expiresInSeconds),
    refresh_token: refreshToken,
    session_id: sessionId,
  };
}

/**
 * Creates a service key for the merchant, or for the platform when no merchant is given. Throws when the merchant does
 * not exist.
 */
export async function makeServiceKey(
  client: Client,
  merchantId: string | null,
  environment: Environment,
): Promise<string> {
  const { rowCount } = await client.query('select from merchant where id::text = $1', [merchantId]);
  if (merchantId !== null && rowCount === 0) throw new Error('There is no merchant with this id.');
  const key = generateServiceKey(environment);
  await client.query('insert into service_key (merchant_id, environment, hash) values ($1, $2, $3)', [
    merchantId,
    environment,
    hashSecret(key),
  ]);
  return key;
}

/** Creates a console link for a person. The link works once and expires in 15 minutes. */
export async function makeConsoleLink(
  client: Client,
  { id: profileId }: PersonWithRole,
  environment: Environment,
  origin: string,
): Promise<string> {
  const token = generateSignInToken();
  await client.query('insert into sign_in_link (profile_id, environment, hash) values ($1, $2, $3)', [
    profileId,
    environment,
    hashSecret(token),
  ]);
  return `${origin}/console/enter?token=${token}`;
}
