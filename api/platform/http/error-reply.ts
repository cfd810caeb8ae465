import type { ErrorRequestHandler, Request, Response } from 'express';
import { isConnectionError, isOutOfResources, isPolicyError } from '../../../db/platform/database';
import { ApiError } from '../operation/api-error';
import type { ErrorCode } from '../operation/error-codes';

const away = () =>
  new ApiError('service_unavailable', 'The service is unavailable. Try again later.', undefined, 5);
const unexpected = () =>
  new ApiError('internal_error', 'Something went wrong on our side. Contact support with the request id.');

type PostgresError = Error & { code: string; column?: string };
const isPostgresError = (error: unknown): error is PostgresError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && 'severity' in error;

/**
 * Converts every error to one that can be sent. The details of an unknown error, which becomes a 500, are only logged
 * (docs/architecture.md#order-of-checks).
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // Express throws this for a malformed percent escape in a path that has a parameter.
  if (error instanceof URIError) return new ApiError('not_found', 'There is nothing at this address.');
  // This check comes first, because a broken connection to the caller has the same error codes as a broken connection
  // to the database.
  if (isBodyReaderError(error)) return fromBodyReader(error);
  if (isConnectionError(error) || isOutOfResources(error)) return away();
  if (isPostgresError(error)) return fromPostgres(error);
  return unexpected();
}

function fromPostgres(error: PostgresError): ApiError {
  const { code, message, column } = error;
  switch (code) {
    case 'PA401':
      return new ApiError(message.includes('key') ? 'key_revoked' : 'token_revoked', message);
    case 'PA403':
      return new ApiError(codeOfRefusal(message), message);
    case 'PA422':
      return new ApiError(codeOfScope(message), message, column);
    // A row-level security policy rejected the write. Any other 42501 is a missing grant, which is a bug of the
    // platform.
    case '42501':
      return isPolicyError(error) ? new ApiError('forbidden', 'You may not change this.') : unexpected();
    case '23505':
      return new ApiError(
        'id_taken',
        'A record with the same id or name already exists. Send a different value, or use the existing record.',
      );
    // A concurrent call deleted a row after this call had checked the row and before this call wrote a reference to
    // it.
    case '23503':
      return new ApiError(
        'concurrent_change',
        'Another call changed the same data at the same time. Try again.',
      );
    case '40001':
    case '40P01':
    case '57014':
    case '55P03':
      return away();
    default:
      return unexpected();
  }
}

/** Returns the code of a refused credential. Postgres reports the reason only as a sentence. */
const codeOfRefusal = (message: string): ErrorCode => {
  if (message.includes('role')) return 'role_not_allowed';
  return message.includes('service keys') ? 'key_not_allowed' : 'merchant_not_allowed';
};

/** Returns the code of an error about `merchant_id`, which Postgres reports only as a sentence. */
const codeOfScope = (message: string): ErrorCode => {
  if (message.includes('required')) return 'required';
  return message.includes('must be') ? 'invalid_format' : 'unknown_id';
};

type BodyReaderError = Error & { status: number; type?: unknown; limit?: number };
const isBodyReaderError = (error: unknown): error is BodyReaderError =>
  error instanceof Error && 'status' in error && typeof error.status === 'number';

/**
 * Returns true if the caller closed the connection before the body of the request was complete, so that nobody would
 * receive a reply.
 */
export const isCallerGone = (error: unknown): boolean =>
  isBodyReaderError(error) &&
  (error.type === 'request.aborted' || ('code' in error && error.code === 'ECONNRESET'));

/** Converts an error of Express's body reader. Every 4xx status of the reader becomes 413 or 422. */
function fromBodyReader({ status, type, limit }: BodyReaderError): ApiError {
  if (type === 'parameters.too.many') return new ApiError('body_too_large', 'The form has too many fields.');
  if (status === 413)
    return new ApiError('body_too_large', `The body must be at most ${inWords(limit ?? 0)}.`);
  if (type === 'encoding.unsupported')
    return new ApiError(
      'invalid_encoding',
      'This content encoding is not supported. Send the body uncompressed, or as gzip, deflate or br.',
      'Content-Encoding',
    );
  return status < 500 ? new ApiError('invalid_encoding', 'The body could not be read.') : unexpected();
}

const inWords = (limitBytes: number): string =>
  limitBytes < 1_048_576 ? `${limitBytes / 1_024} KiB` : `${limitBytes / 1_048_576} MiB`;

/** Sets the status of an error and the headers that this status requires. */
function setStatus(response: Response, error: ApiError): void {
  if (error.status === 401)
    response.setHeader('www-authenticate', (response.locals['challenge'] as string | undefined) ?? 'Bearer');
  if (error.retryAfterSeconds !== undefined)
    response.setHeader('retry-after', String(error.retryAfterSeconds));
  else if (error.status === 503) response.setHeader('retry-after', '5');
  response.status(error.status);
}

/** Returns the body of an error reply (docs/guide/errors.md). */
export const errorBody = (error: ApiError, requestId: string) => ({
  error: error.message,
  ...(error.field ? { name: error.field } : {}),
  code: error.code,
  request_id: requestId,
  errors: error.errors,
  ...(error.details ? { details: error.details } : {}),
});

/** Sends an error reply with the headers that its status requires. */
function sendError(response: Response, error: ApiError): void {
  setStatus(response, error);
  response.json(errorBody(error, String(response.getHeader('x-request-id') ?? '')));
}

/** Returns an error handler that replies to every error through `send` and logs the errors that we have to fix. */
export const replyToErrors =
  (send: (request: Request, response: Response, error: ApiError) => void): ErrorRequestHandler =>
  (error, request, response, next) => {
    const reply = toApiError(error);
    // An overload, or a database query that was cancelled because its caller disconnected, appears only in the log
    // line of its request.
    const isExpected = reply.code === 'overloaded' || (response.destroyed && reply.status === 503);
    if (reply.status >= 500 && !isExpected) request.log.error({ err: error }, 'request failed');
    if (response.headersSent) {
      next(error);
      return;
    }
    setStatus(response, reply);
    send(request, response, reply);
  };

/** The last handler of the API. It sends error replies as JSON. */
export const errorReply = replyToErrors((_request, response, error) => sendError(response, error));
