import type { ErrorCode } from '../../../api/platform/operation/error-codes';

/** Returns the body of an error reply with this code. `error` is its sentence or a matcher of it. */
export const errorBody = (code: ErrorCode, name?: string, error: unknown = expect.any(String)) => ({
  error,
  ...(name === undefined ? {} : { name }),
  code,
  request_id: expect.stringMatching(/^[A-Za-z0-9._-]{1,128}$/),
  errors: [{ name: name ?? null, code, error }],
});
