import { types } from 'node:util';

/** The facts about an error that a log or a workflow's history may contain. */
export type ErrorFacts = {
  type: string;
  message: string;
  code?: string;
  constraint?: string;
  table?: string;
  stack?: string;
};

/** SQLSTATE class 22 (data exceptions): the messages quote the value. */
const quotesValues = /^22/;

/**
 * Returns the facts of an error without its data. Postgres puts whole rows into `detail` and values into messages of
 * class 22, and libraries attach requests to their errors.
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
    stack: error.stack?.replace(error.message, message),
  };
}
