import type { Request } from 'express';
import { hashSecret, isExpired, environmentOfServiceKey } from '../../../db/platform/tokens';
import type { AccessClaims, TokenVerifier } from '../../../db/platform/tokens';
import { ApiError } from '../operation/api-error';
import type { Operation } from '../operation/define-operation';
import type { Credential } from './credential';

export type Authenticate = (request: Request) => Promise<Credential>;

/**
 * The most tokens whose verified signature is remembered. A signature is verified only once, because verifying ES256
 * takes about 10 % of the time of a request.
 */
const maxRememberedTokens = 10_000;

/**
 * Reads the bearer credential (docs/identity.md#credentials). Throws 401 if it is missing or malformed, has an invalid
 * signature or has expired.
 */
export function createAuthenticate({ verify }: Pick<TokenVerifier, 'verify'>): Authenticate {
  const remembered = new Map<string, AccessClaims & { expiresAt: number }>();

  const verifyOnce = async (token: string): Promise<AccessClaims> => {
    const known = remembered.get(token);
    if (known && known.expiresAt * 1000 > Date.now()) return known;
    remembered.delete(token);
    const claims = await verify(token).catch((error: unknown) => {
      throw isExpired(error)
        ? new ApiError('token_expired', 'The access token has expired. Refresh it, or sign in again.')
        : new ApiError(
            'token_malformed',
            'The access token is malformed or was issued by another deployment.',
          );
    });
    if (remembered.size >= maxRememberedTokens)
      for (const oldest of remembered.keys()) {
        remembered.delete(oldest);
        break;
      }
    remembered.set(token, claims);
    return claims;
  };

  return async (request) => {
    const header = request.headers.authorization;
    if (header === undefined) throw new ApiError('token_missing', 'The Authorization header is missing.');
    const [, token] = /^Bearer +([\x21-\x7e]+)$/i.exec(header) ?? [];
    if (token === undefined)
      throw new ApiError(
        'token_missing',
        'The Authorization header must be `Bearer <service key or access token>`.',
      );
    if (token.startsWith('sk_')) {
      const environment = environmentOfServiceKey(token);
      if (!environment) throw new ApiError('key_malformed', 'The service key is malformed.');
      return { kind: 'service_key', keyHash: hashSecret(token).toString('hex'), environment };
    }
    return { kind: 'user_session', ...(await verifyOnce(token)) };
  };
}

/**
 * Throws 403 for a service key if the operation does not accept one. A person's role is checked by the first
 * statement of the transaction, because the role depends on the merchant of the request and is not in the token.
 */
export function checkRole(credential: Credential, operation: Operation): void {
  if (credential.kind === 'service_key' && !operation.serviceKeys)
    throw new ApiError('key_not_allowed', 'Service keys may not call this operation.');
}
