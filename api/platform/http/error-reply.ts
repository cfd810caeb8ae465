import type { ErrorRequestHandler, Request, Response } from 'express';
import { ApiError } from '../operation/api-error';
import type { ErrorCode } from '../operation/error-codes';
import { isConnectionError, isOutOfResources, isPolicyRefusal } from '../../../db/platform/database';

const away = () =>
  new ApiError('service_unavailable', 'The service is unavailable right now, try again later', undefined, 5);
const unexpected = () =>
  new ApiError('internal_error', 'Something went wrong on our side; tell support the request id');

type PostgresError = Error & { code: string; column?: string };
const isPostgresError = (error: unknown): error is PostgresError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && 'severity' in error;

/** Maps every error to a reply. What it does not know is a 500 whose details go to the log only (docs/architecture.md#order-of-checks). */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // Of an address with a broken escape, which a page with a parameter in its path meets.
  if (error instanceof URIError) return new ApiError('not_found', 'There is nothing at this address');
  // First: a caller's connection breaks with the same codes as the database's.
  if (isBodyReaderError(error)) return fromBodyReader(error);
  if (isConnectionError(error) || isOutOfResources(error)) return away();
  if (isPostgresError(error)) return fromPostgres(error);
  return unexpected();
}

function fromPostgres(error: PostgresError): ApiError {
  const { code, message, column } = error;
  switch (code) {
    case 'PA401':
      return new ApiError(message.includes('key') ? 'key_revoked' : 'token_revoked', asSentence(message));
    case 'PA403':
      return new ApiError(
        message.includes('role') ? 'role_not_allowed' : 'merchant_not_allowed',
        asSentence(message),
      );
    case 'PA422':
      return new ApiError(codeOfScope(message), message, column);
    // A policy refused; any other 42501 is a missing grant, our fault.
    case '42501':
      return isPolicyRefusal(error) ? new ApiError('forbidden', 'You may not write this') : unexpected();
    case '23505':
      return new ApiError('id_taken', 'This exists already');
    // Two calls met: what one of them named went away between its check and its write.
    case '23503':
      return new ApiError(
        'concurrent_change',
        'Something this call names was changed by another call, try again',
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

/** What is wrong with `merchant_id`, of which Postgres has the sentence only. */
const codeOfScope = (message: string): ErrorCode => {
  if (message.includes('required')) return 'required';
  return message.includes('must be') ? 'invalid_format' : 'unknown_id';
};

/** Postgres's messages begin with a small letter. */
const asSentence = (message: string): string => message.slice(0, 1).toUpperCase() + message.slice(1);

type BodyReaderError = Error & { status: number; type?: unknown; limit?: number };
const isBodyReaderError = (error: unknown): error is BodyReaderError =>
  error instanceof Error && 'status' in error && typeof error.status === 'number';

/** True where the caller hung up before its body was whole: nobody reads the reply. */
export const isCallerGone = (error: unknown): boolean =>
  isBodyReaderError(error) &&
  (error.type === 'request.aborted' || ('code' in error && error.code === 'ECONNRESET'));

/** Express's body reader answers 4xx of its own; this API has two of them. */
function fromBodyReader({ status, type, limit }: BodyReaderError): ApiError {
  if (type === 'parameters.too.many') return new ApiError('body_too_large', 'The form has too many fields');
  if (status === 413) return new ApiError('body_too_large', `The body is over ${inWords(limit ?? 0)}`);
  if (type === 'encoding.unsupported')
    return new ApiError('invalid_encoding', 'The encoding is not supported', 'Content-Encoding');
  return status < 500 ? new ApiError('invalid_encoding', 'The body could not be read') : unexpected();
}

const inWords = (limitBytes: number): string =>
  limitBytes < 1_048_576 ? `${limitBytes / 1_024} KiB` : `${limitBytes / 1_048_576} MiB`;

/** Sets an error's status, and the headers that it asks for. */
function setStatus(response: Response, error: ApiError): void {
  if (error.status === 401) response.setHeader('www-authenticate', 'Bearer');
  if (error.retryAfterSeconds !== undefined)
    response.setHeader('retry-after', String(error.retryAfterSeconds));
  else if (error.status === 503) response.setHeader('retry-after', '5');
  response.status(error.status);
}

/** The body of an error's reply. */
export const errorBody = (error: ApiError, requestId: string) => ({
  error: error.message,
  ...(error.field ? { name: error.field } : {}),
  code: error.code,
  request_id: requestId,
  errors: error.errors,
});

/** Writes the reply of an error, and the headers that its status asks for. */
export function sendError(response: Response, error: ApiError): void {
  setStatus(response, error);
  response.json(errorBody(error, String(response.getHeader('x-request-id') ?? '')));
}

/** Every error becomes a reply, in whatever form `send` gives it, and what is ours to mend goes to the log. */
export const replyToErrors =
  (send: (request: Request, response: Response, error: ApiError) => void): ErrorRequestHandler =>
  (error, request, response, next) => {
    const reply = toApiError(error);
    // The line of the request says enough about an overload, which may be as frequent as the requests.
    if (reply.status >= 500 && reply.code !== 'overloaded')
      request.log.error({ err: error }, 'request failed');
    if (response.headersSent) {
      next(error);
      return;
    }
    setStatus(response, reply);
    send(request, response, reply);
  };

/** Last in the line: what the API answers. */
export const errorReply = replyToErrors((_request, response, error) => sendError(response, error));
