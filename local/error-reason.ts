/** What an error is in short: the system's or the database's code, else its message. */
export function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  // Of several addresses that were tried, the first speaks for all.
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0)
    return reasonOf(error.errors[0]);
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'message' in error && typeof error.message === 'string' ? error.message : 'no reason given';
}
