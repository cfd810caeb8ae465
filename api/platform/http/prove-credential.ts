import type { Database, Meter } from '../../../db/platform/database';
import type { Operation } from '../operation/define-operation';
import type { Credential } from './credential';
import { toApiError } from './error-reply';
import type { ProvenCredentials } from './proven-credentials';
import { toRequester } from './requester';

/**
 * Checks a credential in the database before the body of its request is read. Throws 401 if the credential is unknown
 * or revoked, and 503 if the database is unavailable. A 403 or 422 is ignored, because it can depend on the body; the
 * handler's transaction checks the credential again.
 */
export async function proveCredential(
  { database, proven }: { database: Pick<Database, 'read'>; proven: ProvenCredentials },
  credential: Credential,
  operation: Operation,
): Promise<void> {
  const meter: Meter = { databaseMs: 0, merchantId: null, callerId: null };
  const caller = toRequester(credential, operation, { input: undefined, merchantId: null }, meter);
  await database
    .read(caller, async () => undefined)
    .catch((refusal: unknown) => {
      if (![403, 422].includes(toApiError(refusal).status)) throw refusal;
    });
  proven.note(credential, meter.merchantId);
}
