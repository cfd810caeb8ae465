import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  errors,
  exportJWK,
  importJWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import type { CryptoKey, JWK } from 'jose';
import { z } from 'zod';
import { environments, roles } from './vocabulary';
import type { Environment, Role } from './vocabulary';

const algorithm = 'ES256';
const apiAudience = 'authenticated';
const accessTokenSeconds = 3_600;
const clockLeewaySeconds = 5;

/**
 * The claims of an access token. The database decides whether the token is still valid
 * (docs/identity.md#credentials).
 */
export type AccessClaims = {
  profileId: string;
  sessionId: string;
  role: Role;
  merchantId: string | null;
  environment: Environment;
};

const claimsShape = z.object({
  sub: z.guid(),
  session_id: z.guid(),
  role: z.enum(roles),
  merchant_id: z.guid().nullable(),
  environment: z.enum(environments),
  exp: z.number(),
});

/** A variable that holds a JWK set or the name of a file with one. */
export const jwkSet = z
  .string()
  .min(1)
  .transform((value, context): { keys: JWK[] } => {
    try {
      const parsed: unknown = JSON.parse(
        value.trimStart().startsWith('{') ? value : readFileSync(value, 'utf8'),
      );
      return z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) }).parse(parsed);
    } catch {
      context.addIssue({ code: 'custom', message: 'must be a JWK set or the path of a file with one' });
      return z.NEVER;
    }
  });

export type TokenSigner = {
  sign: (claims: AccessClaims, expiresInSeconds?: number) => Promise<string>;
};
export type TokenVerifier = {
  /**
   * Returns the claims of an access token. Throws on anything but a valid token of this issuer. `expiresAt` is in
   * seconds since 1970.
   */
  verify: (token: string) => Promise<AccessClaims & { expiresAt: number }>;
  publicKeys: { keys: JWK[] };
};

/**
 * Opens a JWK set of ES256 private keys with `kid`. `name` is the variable that contained the set, for error
 * messages. The first key signs and every key verifies, so that keys can rotate. Throws on a set without a usable
 * key.
 */
export async function openKeySet(jwks: { keys: JWK[] }, name: string) {
  const [first] = jwks.keys;
  if (!first || jwks.keys.some((key) => key.kty !== 'EC' || key.crv !== 'P-256' || !key.kid || !key.d))
    throw new Error(`${name} must be a JWK set of P-256 private keys, each with a kid`);
  const signingKey = (await importJWK(first, algorithm)) as CryptoKey;
  const publicKeys = {
    keys: jwks.keys.map(({ kty, crv, x, y, kid }): JWK => ({
      kty,
      crv,
      x,
      y,
      kid,
      alg: algorithm,
      use: 'sig',
    })),
  };
  const keySet = createLocalJWKSet(publicKeys);
  return {
    publicKeys,
    sign: (token: SignJWT) =>
      token.setProtectedHeader({ alg: algorithm, kid: first.kid, typ: 'JWT' }).sign(signingKey),
    /**
     * Verifies a token and throws jose's errors. The error for an expired token contains the token's verified
     * payload.
     */
    verify: async (token: string, claims: { issuer: string; audience: string }) =>
      (
        await jwtVerify(token, keySet, {
          algorithms: [algorithm],
          clockTolerance: clockLeewaySeconds,
          ...claims,
        })
      ).payload,
  };
}

/** True when `verify` threw because a token with a valid signature has expired. */
export const isExpired = (error: unknown): boolean => error instanceof errors.JWTExpired;

/** Signs and verifies access tokens of this issuer for this audience. Throws on a set without a usable key. */
export async function createAccessTokens(
  jwks: { keys: JWK[] },
  issuer: string,
  audience = apiAudience,
): Promise<TokenSigner & TokenVerifier> {
  const keys = await openKeySet(jwks, 'TOKEN_SIGNING_KEYS');

  return {
    publicKeys: keys.publicKeys,
    sign: (
      { profileId, sessionId, role, merchantId, environment },
      expiresInSeconds = accessTokenSeconds,
    ) => {
      const now = Math.floor(Date.now() / 1000);
      return keys.sign(
        new SignJWT({ session_id: sessionId, role, merchant_id: merchantId, environment })
          .setIssuer(issuer)
          .setAudience(audience)
          .setSubject(profileId)
          .setIssuedAt(now)
          .setExpirationTime(now + expiresInSeconds),
      );
    },
    verify: async (token) => {
      const claims = claimsShape.parse(await keys.verify(token, { issuer, audience }));
      return {
        profileId: claims.sub,
        sessionId: claims.session_id,
        role: claims.role,
        merchantId: claims.merchant_id,
        environment: claims.environment,
        expiresAt: claims.exp + clockLeewaySeconds,
      };
    },
  };
}

/** Generates a JWK set with one key. */
export async function generateSigningKeys(): Promise<{ keys: JWK[] }> {
  const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ]);
  const jwk = await exportJWK(privateKey);
  return { keys: [{ ...jwk, alg: algorithm, use: 'sig', kid: await calculateJwkThumbprint(jwk) }] };
}

export const accessTokenLifetimeSeconds = accessTokenSeconds;

/** Returns the SHA-256 hash of a secret with high entropy (service key, refresh token). Only the hash is stored. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

const serviceKeyPattern = new RegExp(`^sk_(${environments.join('|')})_[A-Za-z0-9_-]{43}$`);

/** Returns the environment of a service key, or undefined when the text does not look like one. */
export const environmentOfServiceKey = (key: string): Environment | undefined =>
  environments.find((environment) => environment === serviceKeyPattern.exec(key)?.[1]);

/** Generates a service key. It is shown once and stored as its hash. */
export const generateServiceKey = (environment: Environment): string =>
  `sk_${environment}_${randomBytes(32).toString('base64url')}`;

/** Generates a refresh token. It is returned once and stored as its hash. */
export const generateRefreshToken = (): string => `rt_${randomBytes(32).toString('base64url')}`;

/** Generates a token for a sign-in link. It is sent once and stored as its hash. */
export const generateSignInToken = (): string => `si_${randomBytes(32).toString('base64url')}`;

/** Generates the secret of the console's cookie. Only the browser has it; the database stores its hash. */
export const generateCookieSecret = (): string => randomBytes(32).toString('base64url');

/** Generates the signing secret of a webhook endpoint (Standard Webhooks). It is shown once and stored sealed. */
export const generateSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
