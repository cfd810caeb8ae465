import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import type { Caller, Transaction } from '../../../db/platform/database';
import type { OperationDeps } from '../../deps';
import { ApiError } from '../operation/api-error';
import type { Call } from '../operation/call';
import type { Contract } from '../operation/define-operation';

/**
 * Returns the `ETag` of a reply: a digest of its JSON, so it changes with any value (docs/guide/requests.md#versions). Cursors
 * do not count: the same place is sealed into another text each time.
 */
export const entityTag = (json: string): string =>
  `"${createHash('sha256')
    .update(json.replace(/"next_cursor":"[\w-]+"/, ''))
    .digest('base64url')
    .slice(0, 27)}"`;

/**
 * True if the caller has this reply, as `If-None-Match` says. Express does not decide this, because `fetch` sends
 * `Cache-Control: no-cache` with each `If-None-Match`, and Express then sends the whole reply.
 */
export const matchesIfNoneMatch = ({ headers }: IncomingMessage, tag: string): boolean =>
  (headers['if-none-match'] ?? '').split(',').some((sent) => sent.trim().replace(/^W\//, '') === tag);

/**
 * Returns the tags of the `If-Match` header. Undefined without one, and for `*`, which asks only that the object exists. A
 * weak tag counts as the strong one: proxies that compress replies weaken tags, and they change no value. Throws 422 if the
 * header is longer than a list of 20 tags or not a list of tags, and 412 if the operation takes no such header.
 */
export function readIfMatch(request: IncomingMessage, operation: Contract): string[] | undefined {
  const header = request.headers['if-match'];
  if (header === undefined) return undefined;
  if (!operation.reads)
    throw new ApiError('precondition_failed', 'This operation takes no If-Match. Send the call without it.');
  if (header.trim() === '*') return undefined;
  const tags = header.length > 700 ? [] : header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (tags.length === 0 || !tags.every((tag) => /^"[\x21\x23-\x7e]{1,100}"$/.test(tag)))
    throw new ApiError(
      'invalid_format',
      'If-Match must be the ETag of a reply, in double quotes.',
      'If-Match',
    );
  return tags;
}

/**
 * Throws 412 unless what the operation changes is, in this transaction, what the caller has read. The object must be
 * locked, so that it cannot change before the transaction ends.
 */
export async function requireIfMatch<Input extends z.ZodType, Who extends Caller>(
  operation: Contract<Input, z.ZodType, Who>,
  deps: OperationDeps,
  call: Omit<Call<z.output<Input>, Who>, 'write' | 'requireMatch'>,
  tags: readonly string[],
  trx: Transaction,
): Promise<void> {
  if (!operation.reads) return;
  const { operation: read, input } = operation.reads(call.input);
  const database: OperationDeps['database'] = {
    ...deps.database,
    query: (_caller, query) => trx.rows(query),
    read: (_caller, work) => work(trx),
  };
  const write = () => Promise.reject(new Error(`${read.name} writes`));
  const reading = { ...call, input: read.input.parse(input), write, requireMatch: async () => undefined };
  const now = read.reply.parse(await read.handle(reading, { ...deps, database }));
  if (!tags.includes(entityTag(JSON.stringify(now))))
    throw new ApiError(
      'precondition_failed',
      `The object has changed since you read it. Read it again with ${read.name}, and repeat your change.`,
      'If-Match',
    );
}
