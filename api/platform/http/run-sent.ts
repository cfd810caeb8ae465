import type { z } from 'zod';
import type { Requester } from '../../../db/platform/database';
import type { OperationDeps } from '../../deps';
import { ApiError } from '../operation/api-error';
import { fieldsValidatedLater } from '../operation/define-operation';
import type { Operation } from '../operation/define-operation';
import { checkRole } from './authenticate';
import type { Credential } from './credential';
import { withSentNames } from './parse-input';
import { parseSent, readObjectInput } from './read-input';
import type { SentInput } from './read-input';
import { runOperation } from './run-operation';

/** A call of an operation that comes from a page of the console or from an agent instead of `/v1`. */
type SentCall = {
  credential: Credential;
  input: unknown;
  /** The Idempotency-Key. */
  key?: string | undefined;
  toCaller: (sent: SentInput) => Requester;
  signal: AbortSignal;
};

/**
 * Calls an operation with the same contract, checks and handler as a call of the API. Throws what the API would reply
 * as an error.
 */
export async function runJsonInput<Input extends z.ZodType, Reply extends z.ZodType>(
  deps: OperationDeps,
  operation: Operation<Input, Reply>,
  { credential, input, key, toCaller, signal }: SentCall,
): Promise<z.output<Reply>> {
  const receivedAt = Date.now();
  checkRole(credential, operation);
  const { sent, parsed } = readJsonInput(deps, operation, credential, input);
  const call = { input: parsed.value, bytes: Buffer.alloc(0), caller: toCaller(sent), receivedAt, signal };
  try {
    return (await runOperation(operation, deps, call, { key, input })).reply;
  } catch (error) {
    throw error instanceof ApiError ? withSentNames(error, parsed.sentAs) : error;
  }
}

/** Reads and parses input that is JSON already. Throws a 422 if the contract does not accept it. */
export function readJsonInput<Input extends z.ZodType, Reply extends z.ZodType>(
  { webhookTargets }: Pick<OperationDeps, 'webhookTargets'>,
  operation: Operation<Input, Reply>,
  { environment }: Pick<Credential, 'environment'>,
  input: unknown,
) {
  const sent = readObjectInput(input, fieldsValidatedLater(operation));
  const parsed = parseSent(operation, sent, { environment, webhookTargets });
  if (parsed.error) throw parsed.error;
  return { sent, parsed };
}
