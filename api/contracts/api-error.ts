/** The one error a request may end in. `field` is its wire name (spec: Errors); the message says what to change. */
export class ApiError extends Error {
  constructor(
    readonly status: 401 | 403 | 404 | 405 | 409 | 412 | 413 | 416 | 422 | 429 | 500 | 503,
    message: string,
    readonly field?: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}
