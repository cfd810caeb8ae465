import type { ErrorCode } from '../../../api/platform/operation/error-codes';

/**
 * Returns the body of an error reply with this code. `error` is the expected sentence, or a matcher for the sentence.
 */
export const errorBody = (code: ErrorCode, name?: string, error: unknown = expect.any(String)) => ({
  error,
  ...(name === undefined ? {} : { name }),
  code,
  request_id: expect.stringMatching(/^[A-Za-z0-9._-]{1,128}$/),
  errors: [{ name: name ?? null, code, error }],
});
