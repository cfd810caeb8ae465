/**
 * The reason why the stack cannot run, in one sentence with the variable to set. It is printed without a stack trace.
 */
export class StartError extends Error {
  override name = 'StartError';
}

/** Returns a short reason for an error: the code of the system or database, otherwise the error's message. */
export function reasonOf(error: unknown): string {
  const { code, message, errors } = error as { code?: string; message?: string; errors?: unknown[] };
  // An error with `errors` means that several addresses were tried. The first reason stands for all.
  return errors?.length ? reasonOf(errors[0]) : (code ?? message ?? String(error));
}
