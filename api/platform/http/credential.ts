import type { AccessClaims } from '../../../db/platform/tokens';

/** What a request's Authorization header holds. Whether it still counts is proven with the first statement. */
export type Credential =
  | ({ kind: 'user_session' } & AccessClaims)
  | { kind: 'service_key'; keyHash: string; environment: AccessClaims['environment'] };
