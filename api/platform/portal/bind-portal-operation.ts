import type { Request, RequestHandler, Response } from 'express';
import type { Meter } from '../../../db/platform/database';
import type { OperationDeps } from '../../deps';
import { bodyBytesReader } from '../http/body-bytes';
import { toApiError } from '../http/error-reply';
import { reportIgnored } from '../http/known-keys';
import type { Proven } from '../http/proven-credentials';
import type { Limit } from '../http/rate-limit';
import { jsonBodyReader } from '../http/read-body';
import { parseSent, readQueryInput } from '../http/read-input';
import type { SentInput } from '../http/read-input';
import { noteFacts } from '../http/request-log';
import { linkCaller } from './define-portal-operation';
import type { LinkCaller, LinkCredential, PortalOperation } from './define-portal-operation';

/** The size limit of a JSON body: a text of 20,000 characters takes up to 240 KB. */
const readJsonBody = jsonBodyReader(262_144);
const noBytes = Buffer.alloc(0);

export type LinkChecks = {
  proven: Proven<LinkCredential>;
  /**
   * Asks the database whether the link works. Throws 401 if the link was revoked, or if it has expired and no attempt
   * is running.
   */
  prove: (link: LinkCredential, caller: LinkCaller) => Promise<void>;
  /** The limit of calls, which counts each link by itself. */
  limit: Limit;
};

/** Returns the link that the authentication stored for this request. */
export const linkOf = (locals: Record<string, unknown>): LinkCredential => locals['link'] as LinkCredential;

/**
 * Returns a request handler that makes the checks of every call in order and then runs the operation. The database
 * checks the link before the body is read, unless it accepted the link within the last ten minutes.
 */
export function bindPortalOperation(
  operation: PortalOperation,
  deps: OperationDeps,
  { proven, prove, limit }: LinkChecks,
): RequestHandler {
  return async (request, response) => {
    const receivedAt = Date.now();
    const link = linkOf(response.locals);
    const meter: Meter = { databaseMs: 0, merchantId: null, callerId: null };
    noteFacts(request, { operation: operation.name, profileId: null, meter });
    const caller = linkCaller(link, meter);
    try {
      const wasProven = proven.has(link);
      if (!wasProven) await prove(link, caller);
      proven.note(link);
      await limit.take(rateKey(link), response);
      if (wasProven && link.isExpired) await prove(link, caller);
      const { input, bytes } = await readCall(operation, request, response, () => prove(link, caller));
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const call = { input, link, caller, bytes, signal: gone.signal, receivedAt };
      sendReply(response, operation, await operation.handle(call, deps));
    } catch (error) {
      if (toApiError(error).status === 401) proven.forget(link);
      throw error;
    }
  };
}

/** The key leaves out the link's generation, so that a new link to the same interview does not start a new count. */
const rateKey = ({ enrolmentId, interviewId }: LinkCredential): string => `${enrolmentId} ${interviewId}`;

/**
 * Reads and parses the input of a request, lists ignored fields in a header of the reply, and reads the bytes of a
 * PUT.
 */
async function readCall(
  operation: PortalOperation,
  request: Request,
  response: Response,
  proveAgain: () => Promise<void>,
): Promise<{ input: unknown; bytes: Buffer }> {
  const sent: SentInput =
    operation.method === 'POST' ? await readJsonBody(request, response) : readQueryInput(request.query);
  reportIgnored(request, response, operation, sent.input);
  const parsed = parseSent(operation, sent);
  if (parsed.error) {
    // If the link has been revoked or has expired, the call gets that error, even if its body is invalid too.
    await proveAgain();
    throw parsed.error;
  }
  const isFile = operation.method === 'PUT';
  const bytes = isFile ? await bodyBytesReader(operation.maxBytes ?? 0)(request, response) : noBytes;
  return { input: parsed.value, bytes };
}

/** Validates a reply with the operation's schema and sends it. Browsers do not cache it. */
function sendReply(response: Response, operation: PortalOperation, reply: unknown): void {
  response.setHeader('cache-control', 'no-store');
  if (reply === null) {
    response.status(204).end();
    return;
  }
  const parsed = operation.reply.parse(reply);
  if (operation.replyType === undefined) response.json(parsed);
  else response.type(operation.replyType).send(parsed);
}
