import { types } from 'node:util';
import { DefaultLogger } from '@temporalio/worker';
import type { LogEntry } from '@temporalio/worker';
import type { Logger } from 'pino';
import { errorFacts } from '../../db/platform/error-facts';
import type { ErrorFacts } from '../../db/platform/error-facts';

/**
 * Writes warnings and errors of Temporal's SDK to the worker's log. Errors are converted to plain facts, because an
 * Error object would be logged as `{}`.
 */
export const temporalLog = (log: Logger): DefaultLogger =>
  new DefaultLogger('WARN', ({ level, message, meta = {} }: LogEntry) => {
    const readable = Object.entries(meta).map(([name, value]) => [
      name,
      isError(value) ? factsOf(value) : value,
    ]);
    log[level === 'ERROR' ? 'error' : 'warn']({ temporal: Object.fromEntries(readable) }, message);
  });

/** Also recognizes errors from workflows, whose `Error` class belongs to another realm. */
const isError = (value: unknown): value is Error => types.isNativeError(value) || value instanceof Error;

/**
 * `failure` is the type of an ApplicationFailure, by which operators search. Errors of workflows lose this type when
 * they are transferred between threads.
 */
type TemporalFacts = ErrorFacts & { failure?: string; cause?: TemporalFacts };

/**
 * Converts an error with its causes. A workflow's failure is caused by an activity's failure, which may have a cause of
 * its own.
 */
function factsOf(error: Error, deepest = 3): TemporalFacts {
  const { cause } = error;
  const failure: unknown = Reflect.get(error, 'type');
  const facts = errorFacts(error);
  // The transfer between threads drops the name of a custom error class, but the stack still begins with it.
  const type = facts.type === 'Error' ? /^[A-Z]\w*(?=: )/.exec(facts.stack ?? '')?.[0] : undefined;
  return {
    ...facts,
    ...(type === undefined ? {} : { type }),
    ...(typeof failure === 'string' ? { failure } : {}),
    ...(deepest > 0 && isError(cause) ? { cause: factsOf(cause, deepest - 1) } : {}),
  };
}
