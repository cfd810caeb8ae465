import { defaultCodes, errorCodes } from './error-codes';
import type { ErrorCode, ErrorStatus } from './error-codes';

/** One thing that is wrong with a request; `name` is the wire name of the field, null where it is no field. */
export type ErrorItem = { name: string | null; code: ErrorCode; error: string };

/**
 * The one error a request may end in. `kind` is its code, or its status alone where no code says more; `field` is the
 * wire name of the field (spec: Errors); the message says what to change. `more` are further errors of the same request.
 */
export class ApiError extends Error {
  readonly status: ErrorStatus;
  readonly code: ErrorCode;

  constructor(
    kind: ErrorStatus | ErrorCode,
    message: string,
    readonly field?: string,
    readonly retryAfterSeconds?: number,
    private readonly more: readonly ErrorItem[] = [],
  ) {
    super(message);
    this.code = typeof kind === 'number' ? codeOf(kind, field) : kind;
    this.status = errorCodes[this.code].status;
  }

  /** Everything that is wrong with the request, this error first. */
  get errors(): ErrorItem[] {
    return [{ name: this.field ?? null, code: this.code, error: this.message }, ...this.more];
  }
}

/** Throws the first of the errors, with the others in its list; returns where there is none. */
export function throwAll([first, ...others]: readonly ApiError[]): void {
  if (!first) return;
  const more = others.flatMap(({ errors }) => errors);
  throw new ApiError(first.code, first.message, first.field, first.retryAfterSeconds, more.slice(0, 99));
}

const codeOf = (status: ErrorStatus, field: string | undefined): ErrorCode =>
  status === 422 && field !== undefined ? 'invalid_value' : defaultCodes[status];
