/** The reason why the stack cannot run, in one sentence with the variable to set. It is printed without a stack trace. */
export class StartError extends Error {
  override name = 'StartError';
}
