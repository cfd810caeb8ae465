import type { z } from 'zod';
import type { Caller } from '../../../db/platform/database';
import type { OperationDeps } from '../../deps';
import { ApiError } from '../operation/api-error';
import type { Call } from '../operation/call';
import type { Contract } from '../operation/define-operation';
import { requireIfMatch } from './entity-tag';
import { claimKey } from './idempotency';

/**
 * Runs the handler of an operation on parsed input and parses its reply with the operation's contract. With an
 * Idempotency-Key, the reply is also stored, or it is the stored reply of an earlier call.
 */
export async function runOperation<Input extends z.ZodType, Reply extends z.ZodType, Who extends Caller>(
  operation: Contract<Input, Reply, Who>,
  deps: OperationDeps,
  call: Omit<Call<z.output<Input>, Who>, 'write' | 'idempotencyId' | 'requireMatch'>,
  { key, input, tags }: { key?: string | undefined; input: unknown; tags?: string[] | undefined },
): Promise<{ reply: z.output<Reply>; isReplay: boolean }> {
  const { database } = deps;
  const claim = key === undefined ? undefined : await claimKey(deps, call.caller, key, operation.name, input);
  if (claim && 'replay' in claim) return { reply: claim.replay as z.output<Reply>, isReplay: true };
  const sent = { ...call, idempotencyId: claim?.id };
  let isCompared = tags === undefined;
  const requireMatch: Call<unknown>['requireMatch'] = async (trx, lock) => {
    if (!tags) return;
    isCompared = true;
    await lock?.();
    await requireIfMatch(operation, deps, sent, tags, trx);
  };
  let kept = false;
  const write: Call<unknown>['write'] = async (work) => {
    const value = await database.write(call.caller, async (trx) => {
      const made = await work(trx);
      if (!isCompared) throw new Error(`${operation.name} did not compare If-Match`);
      if (claim) await trx.count(claim.keep(operation.reply.parse(made)));
      return made;
    });
    kept = true;
    return value;
  };
  let reply: z.output<Reply>;
  try {
    reply = operation.reply.parse(await operation.handle({ ...sent, write, requireMatch }, deps));
  } catch (error) {
    // After an ApiError, nothing was changed, so the key is free again. After any other error, the outcome is
    // unknown: the same call may be retried immediately and gets the same id. If the release fails, the key stays
    // claimed until its lease ends.
    if (claim && !kept) await claim.release(error instanceof ApiError).catch(() => undefined);
    throw error;
  }
  if (!claim || kept) return { reply, isReplay: false };
  try {
    await database.write(call.caller, (trx) => trx.count(claim.keep(reply)));
  } catch (error) {
    // The handler's work is done, but its reply could not be stored. A retry runs the handler again with the same id
    // and finds what this call created.
    await claim.release(false).catch(() => undefined);
    throw error;
  }
  return { reply, isReplay: false };
}
