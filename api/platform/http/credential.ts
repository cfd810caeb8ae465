import type { AccessClaims } from '../../../db/platform/tokens';

/**
 * The credential in a request's Authorization header. Only the first database statement proves that it is still valid.
 */
export type Credential =
  | ({ kind: 'user_session' } & AccessClaims)
  | { kind: 'service_key'; keyHash: string; environment: AccessClaims['environment'] };
