import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { isScopeError } from '../../../db/platform/database';
import type { Caller, RequestMeter } from '../../../db/platform/database';
import type { OperationDeps } from '../../deps';
import { ApiError } from '../operation/api-error';
import { fieldsValidatedLater } from '../operation/define-operation';
import type { Contract } from '../operation/define-operation';
import type { OperationAccess } from './access';
import { bodyBytesReader } from './body-bytes';
import { entityTag, matchesIfNoneMatch, readIfMatch } from './entity-tag';
import { toApiError } from './error-reply';
import { readIdempotencyKey } from './idempotency';
import { reportIgnored } from './known-keys';
import { readInTurn } from './large-bodies';
import { withSentNames } from './parse-input';
import { jsonBodyReader } from './read-body';
import { parseSent, readQueryInput } from './read-input';
import type { SentInput } from './read-input';
import { noteFacts } from './request-log';
import { runOperation } from './run-operation';

/** Keeps the credential of a request until its operation is called. */
export const storeCredential = (response: Response, credential: unknown): void => {
  response.locals['credential'] = credential;
};

/**
 * Returns a request handler that makes the checks of every call in order and then runs the operation
 * (docs/architecture.md#order-of-checks). `access` has the checks of the credential.
 */
export function bindOperation<Kind, Who extends Caller>(
  operation: Contract<z.ZodType, z.ZodType, Who>,
  deps: OperationDeps,
  access: OperationAccess<Kind, Who>,
): RequestHandler {
  const { proven } = access;
  const handleCall = bindCall(operation, deps, access);
  return async (request, response) => {
    const receivedAt = Date.now();
    const credential = response.locals['credential'] as Kind;
    const meter: RequestMeter = { databaseMs: 0, merchantId: null, callerId: null };
    noteFacts(request, { operation: operation.name, profileId: access.profileIdOf(credential), meter });
    try {
      const caller = access.toCaller(credential, meter);
      // Parsing 1 MiB of JSON takes up to half a second, so a request with an invalid credential is rejected before its
      // body is read. The check must also precede the handler, because other requests with this credential wait for
      // the check (address-limit.ts).
      const wasProven = proven.has(credential);
      if (!wasProven) {
        await access.prove(credential, caller);
        proven.note(credential, meter.merchantId);
      }
      await access.limit.take(access.rateKey(credential), response);
      await access.check(credential, caller, wasProven);
      await handleCall({ request, response, credential, meter, receivedAt });
    } catch (error) {
      if (toApiError(error).status === 401) proven.forget(credential);
      else if (meter.callerId || isScopeError(error)) proven.note(credential, meter.merchantId);
      throw error;
    }
    proven.note(credential, meter.merchantId);
    access.noteUse?.(credential, meter.callerId);
  };
}

type Received<Kind> = {
  request: Request;
  response: Response;
  credential: Kind;
  meter: RequestMeter;
  receivedAt: number;
};

/** Returns a function that reads the input of a call, runs the operation and sends its reply. */
function bindCall<Kind, Who extends Caller>(
  operation: Contract<z.ZodType, z.ZodType, Who>,
  deps: OperationDeps,
  access: OperationAccess<Kind, Who>,
) {
  const { method } = operation;
  const readJsonBody = jsonBodyReader(access.maxJsonBytes);
  const readBytes = bodyBytesReader(operation.maxBytes ?? 0);

  /** Reads and parses the body of a POST, and reads its Idempotency-Key. */
  const readBody = async (
    request: Request,
    response: Response,
  ): Promise<SentInput & { key?: string; tags?: string[] | undefined }> => {
    const sent = await readJsonBody(request, response, fieldsValidatedLater(operation));
    if (sent.error || !access.takesKeys) return sent;
    try {
      const tags = readIfMatch(request, operation);
      const key = readIdempotencyKey(request);
      return { ...sent, tags, ...(key === undefined || operation.isRead ? {} : { key }) };
    } catch (error) {
      if (error instanceof ApiError) return { ...sent, error };
      throw error;
    }
  };

  /** Parses the input with the operation's contract. A header of the reply lists the fields that are ignored. */
  const readAndParse = async ({ request, response, credential }: Received<Kind>) => {
    const sent: Awaited<ReturnType<typeof readBody>> =
      method === 'POST' ? await readBody(request, response) : readQueryInput(request.query);
    reportIgnored(request, response, operation, sent.input);
    return { sent, parsed: parseSent(operation, sent, access.factsOf?.(credential)) };
  };

  return async (received: Received<Kind>): Promise<void> => {
    const { request, response, credential, meter, receivedAt } = received;
    const { sent, parsed } =
      method === 'POST'
        ? await readInTurn(request, access.laneOf(credential), () => readAndParse(received))
        : await readAndParse(received);
    const caller = access.toCaller(credential, meter, sent);
    if (parsed.error) {
      // A call with a revoked credential, or to an operation that the account does not include, gets the error about
      // that, even if its input is invalid too.
      await access.prove(credential, caller, sent);
      throw parsed.error;
    }
    const bytes = method === 'PUT' ? await readBytes(request, response) : Buffer.alloc(0);
    const gone = new AbortController();
    // An abort costs a stack trace, so it is left out when the reply was sent.
    response.once('close', () => response.writableFinished || gone.abort());
    let fileName: string | undefined;
    const nameFile = (name: string) => {
      fileName = name;
    };
    const call = { input: parsed.value, caller, bytes, receivedAt, signal: gone.signal, nameFile };
    const { reply, isReplay } = await runOperation(operation, deps, call, sent).catch((error: unknown) => {
      throw error instanceof ApiError ? withSentNames(error, parsed.sentAs) : error;
    });
    if (isReplay) response.setHeader('idempotency-replayed', 'true');
    if (fileName !== undefined) response.attachment(fileName);
    sendReply(request, response, operation, reply);
  };
}

function sendReply(
  request: Request,
  response: Response,
  { method, replyType, statuses }: Contract,
  reply: unknown,
): void {
  if (replyType === undefined) {
    const json = JSON.stringify(reply);
    if (method === 'GET') {
      const tag = entityTag(json);
      response.set('etag', tag);
      if (!response.hasHeader('cache-control')) response.set('cache-control', 'private, no-cache');
      if (matchesIfNoneMatch(request, tag)) return void response.status(304).end();
    }
    response.type('json').send(json);
  } else if (statuses.includes(204) && Buffer.isBuffer(reply) && reply.length === 0)
    response.status(204).end();
  else response.type(replyType).send(reply);
}
