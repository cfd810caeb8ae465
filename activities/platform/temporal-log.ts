import { types } from 'node:util';
import { DefaultLogger } from '@temporalio/worker';
import type { LogEntry } from '@temporalio/worker';
import type { Logger } from 'pino';
import { errorFacts } from '../../db/platform/error-facts';
import type { ErrorFacts } from '../../db/platform/error-facts';

/**
 * Writes the warnings of Temporal's SDK to the worker's log. Errors are logged as facts, because as they are they
 * would appear as `{}`.
 */
export const temporalLog = (log: Logger): DefaultLogger =>
  new DefaultLogger('WARN', ({ level, message, meta = {} }: LogEntry) => {
    const readable = Object.entries(meta).map(([name, value]) => [
      name,
      isError(value) ? factsOf(value) : value,
    ]);
    log[level === 'ERROR' ? 'error' : 'warn']({ temporal: Object.fromEntries(readable) }, message);
  });

/** This includes errors of workflows, whose `Error` class comes from another realm. */
const isError = (value: unknown): value is Error => types.isNativeError(value) || value instanceof Error;

/** `failure` is the type that operators search by. A workflow's error loses it on its way between threads. */
type TemporalFacts = ErrorFacts & { failure?: string; cause?: TemporalFacts };

/** The cause of a workflow's failure is the failure of an activity, which may have a cause of its own. */
function factsOf(error: Error, deepest = 3): TemporalFacts {
  const { cause } = error;
  const failure: unknown = Reflect.get(error, 'type');
  const facts = errorFacts(error);
  // The transfer between threads drops a name that is not built into the language, but keeps the stack.
  const type = facts.type === 'Error' ? /^[A-Z]\w*(?=: )/.exec(facts.stack ?? '')?.[0] : undefined;
  return {
    ...facts,
    ...(type === undefined ? {} : { type }),
    ...(typeof failure === 'string' ? { failure } : {}),
    ...(deepest > 0 && isError(cause) ? { cause: factsOf(cause, deepest - 1) } : {}),
  };
}
