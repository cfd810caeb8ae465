import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import canonicalize from 'canonicalize';
import type { Caller, Database } from '../../../db/platform/database';
import {
  claimIdempotencyKey,
  keepIdempotentReply,
  releaseIdempotencyKey,
  endIdempotencyLease,
} from '../../../db/platform/idempotency';
import type { Seal } from '../../../db/platform/sealed';
import type { Statement } from '../../../db/platform/statement';
import { ApiError } from '../operation/api-error';

/**
 * An Idempotency-Key that this call has claimed until its reply is stored. A retry of a failed call gets the same
 * `id`.
 */
export type ClaimedIdempotencyKey = {
  id: string;
  /**
   * Returns the statement that stores the encrypted reply. It must run in the same transaction as the work of the
   * call.
   */
  keep: (reply: unknown) => Statement;
  /**
   * Releases the key. If `isUndone` is true, the call certainly changed nothing, and any call may use the key.
   * Otherwise only a retry of the same call may.
   */
  release: (isUndone: boolean) => Promise<void>;
};

const keyPattern = /^[\x20-\x7e]{1,255}$/;
const sealContext = (id: string) => `idempotency_key/${id}`;

/** Reads the `Idempotency-Key` header. Throws 422 if it does not have 1 to 255 printable ASCII characters. */
export function readIdempotencyKey(request: IncomingMessage): string | undefined {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return undefined;
  // Node joins repeated headers into one text, so they are counted separately.
  if ((request.headersDistinct['idempotency-key']?.length ?? 0) > 1)
    throw new ApiError('invalid_value', 'Send Idempotency-Key only once.', 'Idempotency-Key');
  if (typeof header === 'string' && keyPattern.test(header)) return header;
  throw new ApiError(
    'invalid_format',
    'Idempotency-Key must be 1 to 255 printable ASCII characters.',
    'Idempotency-Key',
  );
}

/**
 * Claims the key for this call, or returns the stored reply (docs/guide/idempotency.md). Throws 422 if the key was used
 * for a different request, and 409 while the first call with the key is running.
 */
export async function claimKey(
  { database, seal }: { database: Pick<Database, 'write'>; seal: Seal },
  caller: Caller,
  key: string,
  operation: string,
  body: unknown,
): Promise<{ replay: unknown } | ClaimedIdempotencyKey> {
  const bodyHash = createHash('sha256')
    .update(canonicalize(body) ?? '')
    .digest();
  const row = await database.write(caller, (trx) =>
    trx.maybeOne(claimIdempotencyKey(key, operation, bodyHash)),
  );
  if (row && !row.same_request)
    throw new ApiError(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request. Choose a new one.',
      'Idempotency-Key',
    );
  if (row?.reply_sealed) return { replay: JSON.parse(seal.open(row.reply_sealed, sealContext(row.id))) };
  if (!row?.created)
    throw new ApiError(
      'idempotency_key_in_use',
      'The first call with this Idempotency-Key is still running. Repeat the call later.',
      'Idempotency-Key',
      1,
    );
  const { id } = row;
  return {
    id,
    keep: (reply) => keepIdempotentReply(id, seal.seal(JSON.stringify(reply), sealContext(id))),
    release: async (isUndone) => {
      const statement = isUndone ? releaseIdempotencyKey(id) : endIdempotencyLease(id);
      await database.write(caller, (trx) => trx.count(statement));
    },
  };
}
