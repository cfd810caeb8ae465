/** What keeps the stack from running, said in one sentence with the variable to set; it is printed without a stack. */
export class StartError extends Error {
  override name = 'StartError';
}
