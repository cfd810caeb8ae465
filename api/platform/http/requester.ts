import type { Requester } from '../../../db/platform/database';
import { callNeedsMerchant } from '../operation/define-operation';
import type { Operation } from '../operation/define-operation';
import type { Credential } from './credential';

/**
 * Returns what the first statement of a transaction checks for a call: the credential, and the merchant that the
 * input names.
 */
export function toRequester(
  credential: Credential,
  operation: Operation,
  { input, merchantId: askedMerchantId }: { input: unknown; merchantId: string | null },
  meter?: Requester['meter'],
): Requester {
  const needsMerchant = callNeedsMerchant(operation, input);
  const asked = { askedMerchantId, roles: operation.roles, needsMerchant, ...(meter ? { meter } : {}) };
  if (credential.kind === 'service_key') return { ...credential, ...asked };
  const { sessionId, profileId, role, merchantId: homeMerchantId, environment } = credential;
  return { kind: 'user_session', sessionId, profileId, role, homeMerchantId, environment, ...asked };
}
