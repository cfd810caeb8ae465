import type { AccessClaims } from '../../../db/platform/tokens';

/** The content of a request's Authorization header. The first statement proves whether it is still valid. */
export type Credential =
  | ({ kind: 'user_session' } & AccessClaims)
  | { kind: 'service_key'; keyHash: string; environment: AccessClaims['environment'] };
