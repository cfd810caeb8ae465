import type { ErrorCode } from './generated/operations.js';
import type { ErrorBody } from './generated/types.js';

/** What is wrong with one field, or with the call if `name` is null. */
export type ErrorItem = { name: string | null; code: string; error: string };

type Facts = {
  status: number;
  code: ErrorCode | ClientCode | (string & {});
  message: string;
  name?: string | undefined;
  requestId?: string | null;
  errors?: ErrorItem[];
  retryAfterSeconds?: number | null;
  cause?: unknown;
};

/** Codes of errors that did not come from the API. */
type ClientCode = 'connection_failed' | 'timeout' | 'unexpected_reply';

/** A call that failed. The subclasses follow the status of the reply; branch on `code` for more. */
export class ApiError extends Error {
  /** Status of the reply, 0 if there was none. */
  readonly status: number;
  /** Stable code for programs. Treat a code that you do not know by `status`. */
  readonly code: Facts['code'];
  /** The field that the error is about, as it was sent: `users[3].email`. The name of the class if it is about no field. */
  override readonly name: string;
  /** The id of the request, for support. Null if there was no reply. */
  readonly requestId: string | null;
  /** Everything that is wrong with the call; the first entry is also the error's own message, name and code. */
  readonly errors: ErrorItem[];
  /** The seconds of `Retry-After`, also if it is a date. Null if the reply had none. */
  readonly retryAfterSeconds: number | null;

  constructor({ status, code, message, name, requestId, errors, retryAfterSeconds, cause }: Facts) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.name = name ?? new.target.name;
    this.requestId = requestId ?? null;
    this.errors = errors ?? [];
    this.retryAfterSeconds = retryAfterSeconds ?? null;
  }
}

/** 401: the credential is missing, malformed, expired or revoked. */
export class AuthenticationError extends ApiError {}
/** 403: the caller may not do this. */
export class PermissionError extends ApiError {}
/** 404: the id does not exist, or the caller cannot see the object. */
export class NotFoundError extends ApiError {}
/** 409: another call or the state of the object is in the way. */
export class ConflictError extends ApiError {}
/** 410 `sync_cursor_expired`: read everything without a cursor, and delete what did not come. */
export class SyncCursorExpiredError extends ApiError {}
/** 412: the object has changed since you read it. */
export class PreconditionError extends ApiError {}
/** 422: a field is missing or wrong; see `name` and `errors`. */
export class ValidationError extends ApiError {}
/** 429: too many calls. */
export class RateLimitError extends ApiError {}
/** 500 and above: an error on the side of the API. */
export class ServerError extends ApiError {}
/** No complete reply arrived. The call may have been executed: repeat it with the same `idempotencyKey`. */
export class ConnectionError extends ApiError {}

const classes: Record<number, typeof ApiError> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionError,
  422: ValidationError,
  429: RateLimitError,
};

/** Returns the error of a reply. The body is that of a proxy, such as HTML, if the API did not write it. */
export function errorOf(status: number, headers: Headers, text: string): ApiError {
  const body = readBody(text);
  const code = body?.code ?? 'unexpected_reply';
  const Class =
    code === 'sync_cursor_expired'
      ? SyncCursorExpiredError
      : (classes[status] ?? (status >= 500 ? ServerError : ApiError));
  const retryAfter = headers.get('retry-after') ?? '';
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : Math.max(0, Math.ceil((Date.parse(retryAfter) - Date.now()) / 1000));
  return new Class({
    status,
    code,
    message:
      body?.error ??
      `The server replied ${status} with a text that the API did not write. Check \`baseUrl\`.`,
    name: body?.name,
    requestId: body?.request_id ?? headers.get('x-request-id'),
    errors: body?.errors ?? [],
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
  });
}

/** True if the same call may succeed when it is repeated. */
export const isTemporary = ({ status, code }: ApiError): boolean =>
  status === 0 ||
  status === 408 ||
  (status === 409 && code === 'idempotency_key_in_use') ||
  (status === 429 && code !== 'daily_limit_reached') ||
  status >= 500;

function readBody(text: string): Partial<ErrorBody> | undefined {
  try {
    const body = JSON.parse(text) as Partial<ErrorBody> | null;
    return typeof body?.code === 'string' ? body : undefined;
  } catch {
    return undefined;
  }
}
