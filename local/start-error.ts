/**
 * The reason why the stack cannot run, in one sentence with the variable to set. It is printed without a stack trace.
 */
export class StartError extends Error {
  override name = 'StartError';
}

/** Returns a short reason for an error: the system's or database's error code, or else its message. */
export function reasonOf(error: unknown): string {
  const { code, message, errors } = error as { code?: string; message?: string; errors?: unknown[] };
  // When several addresses were tried, returns the reason of the first.
  return errors?.length ? reasonOf(errors[0]) : (code ?? message ?? String(error));
}
