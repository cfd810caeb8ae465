/** Returns a short reason for an error: the system's or database's error code, or else its message. */
export function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  // When several addresses were tried, the first error stands for all.
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0)
    return reasonOf(error.errors[0]);
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'message' in error && typeof error.message === 'string' ? error.message : 'no reason given';
}
