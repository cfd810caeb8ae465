import { types } from 'node:util';

/** What a log or a workflow's history may hold of an error. */
export type ErrorFacts = {
  type: string;
  message: string;
  code?: string;
  constraint?: string;
  table?: string;
  stack?: string;
};

/** SQLSTATE class 22, data exceptions: their messages quote the value. */
const quotesValues = /^22/;

/**
 * The facts of an error without the data it is about: Postgres puts whole rows into `detail` and values into the
 * messages of class 22, and libraries hang requests on their errors.
 */
export function errorFacts(error: unknown): ErrorFacts {
  // One of another realm, as workflows are, is no instance of this one's.
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
