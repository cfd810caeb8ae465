import type { Database } from '../../../db/platform/database';
import type { Operation } from '../operation/define-operation';
import type { Credential } from './credential';
import { toApiError } from './error-reply';
import type { ProvenCredentials } from './proven-credentials';
import { toRequester } from './requester';

/**
 * Checks a credential in the database before its request's body is read. Throws 401 if it is unknown or revoked, and
 * 503 if the database is unavailable. Other rejections depend on the body, so the scope statement repeats the check
 * later.
 */
export async function proveCredential(
  { database, proven }: { database: Pick<Database, 'read'>; proven: ProvenCredentials },
  credential: Credential,
  operation: Operation,
): Promise<void> {
  const caller = toRequester(credential, operation, { input: undefined, merchantId: null });
  await database
    .read(caller, async () => undefined)
    .catch((refusal: unknown) => {
      if (![403, 422].includes(toApiError(refusal).status)) throw refusal;
    });
  proven.note(credential);
}
