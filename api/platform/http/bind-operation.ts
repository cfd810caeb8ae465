import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { isScopeError } from '../../../db/platform/database';
import type { Meter } from '../../../db/platform/database';
import type { OperationDeps } from '../../deps';
import { ApiError } from '../operation/api-error';
import type { Call } from '../operation/call';
import { validatedLater } from '../operation/define-operation';
import type { Operation } from '../operation/define-operation';
import { checkRole } from './authenticate';
import type { Credential } from './credential';
import { toApiError } from './error-reply';
import { claimKey, readIdempotencyKey } from './idempotency';
import type { Idempotency } from './idempotency';
import { reportIgnored } from './known-keys';
import { laneOf, readInTurn } from './large-bodies';
import { inSentNames } from './parse-input';
import { proveCredential } from './prove-credential';
import { rateKey } from './rate-limit';
import type { Limit } from './rate-limit';
import { jsonBodyReader } from './read-body';
import { parseSent, readQueryInput } from './read-input';
import type { SentInput } from './read-input';
import { noteFacts } from './request-log';
import { toRequester } from './requester';

const readJsonBody = jsonBodyReader(1_048_576);

/** Returns the credential that `authenticate` stored for this request. */
const credentialOf = (locals: Record<string, unknown>): Credential => locals['credential'] as Credential;

/**
 * Returns a request handler that makes the checks of every call in order and then runs the operation
 * (docs/architecture.md#order-of-checks).
 */
export function bindOperation(operation: Operation, deps: OperationDeps, limit: Limit): RequestHandler {
  return async (request, response) => {
    const receivedAt = Date.now();
    const credential = credentialOf(response.locals);
    const meter: Meter = { databaseMs: 0, merchantId: null, callerId: null };
    const profileId = credential.kind === 'user_session' ? credential.profileId : null;
    noteFacts(request, { operation: operation.name, profileId, meter });
    // Parsing 1 MiB of JSON takes up to half a second, so a request with an invalid credential is rejected before its
    // body is read. The check must also precede the handler, because other requests with this credential wait for the
    // check (address-limit.ts).
    if (!deps.proven.has(credential)) await proveCredential(deps, credential, operation);
    await limit.take(rateKey(credential), response);
    checkRole(credential, operation);
    try {
      await handleCall(operation, deps, { request, response, credential, meter, receivedAt });
    } catch (error) {
      if (toApiError(error).status === 401) deps.proven.forget(credential);
      else if (meter.callerId || isScopeError(error)) deps.proven.note(credential, meter.merchantId);
      throw error;
    }
    deps.proven.note(credential, meter.merchantId);
    if (credential.kind === 'user_session') deps.lastUse.note('session', credential.sessionId);
    else if (meter.callerId) deps.lastUse.note('service_key', meter.callerId);
  };
}

type Asked = {
  request: Request;
  response: Response;
  credential: Credential;
  meter: Meter;
  receivedAt: number;
};

async function handleCall(
  operation: Operation,
  deps: OperationDeps,
  { request, response, credential, meter, receivedAt }: Asked,
): Promise<void> {
  const read = () => readAndParse(operation, deps, { request, response, credential });
  const { sent, parsed } =
    operation.method === 'GET'
      ? await read()
      : await readInTurn(request, laneOf(credential, deps.proven.merchantOf(credential)), read);
  const caller = toRequester(credential, operation, sent, meter);
  if (parsed.error) {
    // A call with a revoked token, or to an operation that the account does not include, gets the error about that, even
    // if its body is invalid too.
    await deps.database
      .read(caller, async (trx) => operation.requireAccount?.(trx))
      .catch((refusal: unknown) => {
        // An unreadable body contains no `merchant_id`, and this 422 may only say that `merchant_id` is missing. The
        // error about the body is thrown instead.
        if (!sent.isUnreadable || toApiError(refusal).status !== 422) throw refusal;
      });
    throw parsed.error;
  }
  const claim =
    sent.key === undefined || operation.isRead
      ? undefined
      : await claimKey(deps, caller, sent.key, operation.name, sent.input);
  if (claim && 'replay' in claim) {
    response.setHeader('idempotency-replayed', 'true');
    response.json(claim.replay);
    return;
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  let fileName = `${operation.name}.csv`;
  const nameFile = (name: string) => {
    fileName = name;
  };
  const call = { input: parsed.value, caller, receivedAt, signal: gone.signal, nameFile };
  const reply = await runHandler(operation, deps, call, claim).catch((error: unknown) => {
    throw error instanceof ApiError ? inSentNames(error, parsed.sentAs) : error;
  });
  if (operation.replyType === undefined) response.json(reply);
  else response.attachment(fileName).type(operation.replyType).send(reply);
}

/**
 * Reads the input of a request, lists ignored fields in a header of the reply, and parses the rest with the
 * operation's contract.
 */
async function readAndParse(
  operation: Operation,
  { webhookTargets }: OperationDeps,
  { request, response, credential }: Omit<Asked, 'meter' | 'receivedAt'>,
) {
  const sent: Sent =
    operation.method === 'GET'
      ? readQueryInput(request.query)
      : await readBody(request, response, validatedLater(operation));
  reportIgnored(request, response, operation, sent.input);
  return {
    sent,
    parsed: parseSent(operation, sent, { environment: credential.environment, webhookTargets }),
  };
}

/**
 * Runs a handler on parsed input and parses its reply with the operation's contract. With an idempotency claim, the
 * reply is also stored.
 */
export async function runHandler<Input extends z.ZodType, Reply extends z.ZodType>(
  operation: Operation<Input, Reply>,
  deps: OperationDeps,
  call: Pick<Call<z.output<Input>>, 'input' | 'caller' | 'receivedAt' | 'signal' | 'nameFile'>,
  claim: Idempotency | undefined,
): Promise<z.output<Reply>> {
  const { database } = deps;
  let kept = false;
  const write: Call<unknown>['write'] = async (work) => {
    const value = await database.write(call.caller, async (trx) => {
      const made = await work(trx);
      if (claim) await trx.count(claim.keep(operation.reply.parse(made)));
      return made;
    });
    kept = true;
    return value;
  };
  let reply: z.output<Reply>;
  try {
    reply = operation.reply.parse(await operation.handle({ ...call, idempotencyId: claim?.id, write }, deps));
  } catch (error) {
    // After an ApiError, nothing was changed, so the key is free again. After any other error, the outcome is
    // unknown: the same call may be retried immediately and gets the same id. If the release fails, the key stays
    // claimed until its lease ends.
    if (claim && !kept) await claim.release(error instanceof ApiError).catch(() => undefined);
    throw error;
  }
  if (!claim || kept) return reply;
  try {
    await database.write(call.caller, (trx) => trx.count(claim.keep(reply)));
  } catch (error) {
    // The handler's work is done, but its reply could not be stored. A retry runs the handler again with the same id
    // and finds what this call created.
    await claim.release(false).catch(() => undefined);
    throw error;
  }
  return reply;
}

/** The input of a call, and its Idempotency-Key. */
type Sent = SentInput & { key?: string | undefined };

/** Reads and parses the body, and reads the Idempotency-Key. */
async function readBody(request: Request, response: Response, later: readonly string[]): Promise<Sent> {
  const sent = await readJsonBody(request, response, later);
  if (sent.error) return sent;
  try {
    return { ...sent, key: readIdempotencyKey(request) };
  } catch (error) {
    if (error instanceof ApiError) return { ...sent, error };
    throw error;
  }
}
