import { errorCodes } from './error-codes';
import type { ErrorCode, ErrorStatus } from './error-codes';

/** The most errors in one reply. */
export const maxErrors = 100;

/** One error of a request. `name` is the wire name of the field, null if the error is not about a field. */
export type ErrorItem = { name: string | null; code: ErrorCode; error: string };

/**
 * The only type of error with which a request can end (docs/guide/errors.md). `message` is one or more whole sentences.
 * `field` is the wire name of the field. `more` contains further errors of the same request.
 */
export class ApiError extends Error {
  readonly status: ErrorStatus;
  /** What a program needs to know to repair its request without a person (docs/reports.md#errors). */
  details: readonly unknown[] | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly field?: string,
    readonly retryAfterSeconds?: number,
    private readonly more: readonly ErrorItem[] = [],
  ) {
    super(message);
    this.status = errorCodes[code].status;
  }

  /** All errors of the request, beginning with this error. */
  get errors(): ErrorItem[] {
    return [{ name: this.field ?? null, code: this.code, error: this.message }, ...this.more];
  }
}

/** Combines several errors into one: the first error, with the others in its list. */
export function joinErrors(errors: readonly ApiError[]): ApiError {
  const items = errors.flatMap((error) => error.errors).slice(0, maxErrors);
  const details = errors.flatMap((error) => error.details ?? []);
  const joined = toOneError(items, errors[0]?.retryAfterSeconds);
  return details.length > 0 ? Object.assign(joined, { details }) : joined;
}

/** Combines items into one error. If there are no items, the error says only that the request could not be read. */
export function toOneError([first, ...more]: readonly ErrorItem[], retryAfterSeconds?: number): ApiError {
  if (!first)
    return new ApiError(
      'invalid_request',
      'The request could not be read. Compare its parameters and its body with the API reference.',
    );
  return new ApiError(first.code, first.error, first.name ?? undefined, retryAfterSeconds, more);
}

/** Throws the errors as one. Does nothing if there are none. */
export function throwAll(errors: readonly ApiError[]): void {
  if (errors.length > 0) throw joinErrors(errors);
}
