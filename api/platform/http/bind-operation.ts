import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { ApiError } from '../operation/api-error';
import type { Call } from '../operation/call';
import type { Operation } from '../operation/define-operation';
import type { OperationDeps } from '../../deps';
import { isScopeRefusal } from '../../../db/platform/database';
import type { Meter } from '../../../db/platform/database';
import { checkRole } from './authenticate';
import type { Credential } from './credential';
import { bodyTextReader } from './body-text';
import { isCallerGone, toApiError } from './error-reply';
import { claimKey, readIdempotencyKey } from './idempotency';
import type { Idempotency } from './idempotency';
import { proveCredential } from './prove-credential';
import { ignoredFieldsHeader, ignoredKeys } from './known-keys';
import { inSentNames } from './parse-input';
import { parseSent, readBodyInput, readQueryInput, unreadable } from './read-input';
import type { SentInput } from './read-input';
import { noteFacts } from './request-log';
import { toRequester } from './requester';

const readBodyText = bodyTextReader(1_048_576);

/** The credential that `authenticate` left for this request. */
export const credentialOf = (locals: Record<string, unknown>): Credential =>
  locals['credential'] as Credential;

/** Binds an operation to its handler, with the checks of every call in their order (docs/architecture.md#order-of-checks). */
export function bindOperation(operation: Operation, deps: OperationDeps): RequestHandler {
  return async (request, response) => {
    const credential = credentialOf(response.locals);
    checkRole(credential, operation);
    const meter: Meter = { databaseMs: 0, merchantId: null, callerId: null };
    const profileId = credential.kind === 'user_session' ? credential.profileId : null;
    noteFacts(request, { operation: operation.name, profileId, meter });
    try {
      await answerCall(operation, deps, { request, response, credential, meter });
    } catch (error) {
      if (toApiError(error).status === 401) deps.proven.forget(credential);
      else if (meter.callerId || isScopeRefusal(error)) deps.proven.note(credential);
      throw error;
    }
    deps.proven.note(credential);
    if (credential.kind === 'user_session') deps.lastUse.note('session', credential.sessionId);
    else if (meter.callerId) deps.lastUse.note('service_key', meter.callerId);
  };
}

type Asked = { request: Request; response: Response; credential: Credential; meter: Meter };

async function answerCall(
  operation: Operation,
  deps: OperationDeps,
  { request, response, credential, meter }: Asked,
): Promise<void> {
  const receivedAt = Date.now();
  // Parsing 1 MiB of JSON takes up to half a second, so a made-up key must not get that far.
  if (operation.method === 'POST' && !deps.proven.has(credential))
    await proveCredential(deps, credential, operation);
  const sent: Sent =
    operation.method === 'GET'
      ? readQueryInput(request.query)
      : await readBody(request, response, operation.rows);
  const caller = toRequester(credential, operation, sent, meter);
  // A POST has no query parameters.
  const parameters = operation.method === 'POST' ? Object.keys(request.query).filter(Boolean) : [];
  const ignored = ignoredFieldsHeader([
    ...parameters.map((name) => `?${name.slice(0, 100)}`),
    ...ignoredKeys(operation, sent.input),
  ]);
  if (ignored !== undefined) response.setHeader('x-ignored-fields', ignored);
  const facts = { environment: credential.environment, webhookTargets: deps.webhookTargets };
  const parsed = parseSent(operation, sent, facts);
  if (parsed.error) {
    // A revoked token with a wrong body is told that the token is revoked.
    await deps.database
      .read(caller, async () => undefined)
      .catch((refusal: unknown) => {
        // Which merchant an unreadable body asks for is not known, so its absence is not the fault to tell.
        if (!sent.isUnreadable || toApiError(refusal).status !== 422) throw refusal;
      });
    throw parsed.error;
  }
  const claim =
    sent.key === undefined ? undefined : await claimKey(deps, caller, sent.key, operation.name, sent.input);
  if (claim && 'replay' in claim) {
    response.setHeader('idempotency-replayed', 'true');
    response.json(claim.replay);
    return;
  }
  const call = { input: parsed.value, caller, receivedAt };
  response.json(
    await runHandler(operation, deps, call, claim).catch((error: unknown) => {
      throw error instanceof ApiError ? inSentNames(error, parsed.sentAs) : error;
    }),
  );
}

/** Runs a handler on parsed input; its reply is parsed by the contract, and kept where the call has a claim. */
export async function runHandler<Input extends z.ZodType, Reply extends z.ZodType>(
  operation: Operation<Input, Reply>,
  deps: OperationDeps,
  call: Pick<Call<z.output<Input>>, 'input' | 'caller' | 'receivedAt'>,
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
    // An ApiError is the handler's word that nothing was done. Of anything else the outcome is not known: the same
    // call may go on at once under the same id. Best effort: a key that stays claimed is free when its lease ends.
    if (claim && !kept) await claim.release(error instanceof ApiError).catch(() => undefined);
    throw error;
  }
  if (!claim || kept) return reply;
  try {
    await database.write(call.caller, (trx) => trx.count(claim.keep(reply)));
  } catch (error) {
    // The work is done: the call that is made again finds it.
    await claim.release(false).catch(() => undefined);
    throw error;
  }
  return reply;
}

/** The input, and the Idempotency-Key. */
type Sent = SentInput & { key?: string | undefined };

/** The body as text, parsed here: Express would answer some faults with statuses this API does not use. */
async function readBody(request: Request, response: Response, rows: string | undefined): Promise<Sent> {
  let sent: SentInput | undefined;
  try {
    sent = readBodyInput(await readBodyText(request, response), rows);
    return sent.error ? sent : { ...sent, key: readIdempotencyKey(request) };
  } catch (error) {
    const known = toApiError(error);
    if (known.status >= 500 || isCallerGone(error)) throw error;
    return sent ? { ...sent, error: known } : unreadable(known);
  }
}
