import { types } from 'node:util';

/** The facts about an error that a log or a workflow's history may contain. */
export type ErrorFacts = {
  type: string;
  message: string;
  code?: string;
  constraint?: string;
  table?: string;
  /** The code or the name of the error that led to this one, such as ENOSPC. */
  reason?: string;
  stack?: string;
};

/** Matches the SQLSTATE codes of class 22 (data exceptions). The messages of these errors quote the value. */
const quotesValues = /^22/;

/**
 * Returns what may be logged about an error. Leaves out Postgres's `detail` (it contains whole rows), the messages of
 * class 22 (they quote values) and the requests that libraries attach to their errors.
 */
export function errorFacts(error: unknown): ErrorFacts {
  // An error from another JavaScript realm, such as a workflow's sandbox, is not an instance of this realm's Error.
  if (!(error instanceof Error) && !types.isNativeError(error))
    return { type: typeof error, message: 'not an error' };
  const text = (key: string): string | undefined => {
    const value: unknown = Reflect.get(error, key);
    return typeof value === 'string' ? value : undefined;
  };
  const code = text('code');
  const hidesMessage = text('severity') !== undefined && code !== undefined && quotesValues.test(code);
  const message = hidesMessage ? `database error ${code}` : error.message;
  return {
    type: error.name,
    message,
    code,
    constraint: text('constraint'),
    table: text('table'),
    reason: nameOf(Reflect.get(error, 'cause')),
    stack: error.stack?.replace(error.message, message),
  };
}

/**
 * Returns the code of an error, or its name if it has no code. Never returns the message, which can contain values of
 * a request.
 */
function nameOf(error: unknown): string | undefined {
  if (!(error instanceof Error) && !types.isNativeError(error)) return undefined;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : error.name;
}
