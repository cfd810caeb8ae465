import { types } from 'node:util';
import { DefaultLogger } from '@temporalio/worker';
import type { LogEntry } from '@temporalio/worker';
import type { Logger } from 'pino';
import { errorFacts } from '../../db/platform/error-facts';
import type { ErrorFacts } from '../../db/platform/error-facts';

/** What Temporal's SDK warns of, in the worker's log: of errors their facts, which as they are would be `{}`. */
export const temporalLog = (log: Logger): DefaultLogger =>
  new DefaultLogger('WARN', ({ level, message, meta = {} }: LogEntry) => {
    const readable = Object.entries(meta).map(([name, value]) => [
      name,
      isError(value) ? factsOf(value) : value,
    ]);
    log[level === 'ERROR' ? 'error' : 'warn']({ temporal: Object.fromEntries(readable) }, message);
  });

/** Also one of a workflow, whose `Error` is not ours. */
const isError = (value: unknown): value is Error => types.isNativeError(value) || value instanceof Error;

/** `failure` is the type that operators search by; a workflow's error has lost it on its way between threads. */
type TemporalFacts = ErrorFacts & { failure?: string; cause?: TemporalFacts };

/** A failure of an activity is the cause of a workflow's, and another one may be its cause. */
function factsOf(error: Error, deepest = 3): TemporalFacts {
  const { cause } = error;
  const failure: unknown = Reflect.get(error, 'type');
  const facts = errorFacts(error);
  // The way between threads takes a name that is not the language's, and leaves the stack.
  const type = facts.type === 'Error' ? /^[A-Z]\w*(?=: )/.exec(facts.stack ?? '')?.[0] : undefined;
  return {
    ...facts,
    ...(type === undefined ? {} : { type }),
    ...(typeof failure === 'string' ? { failure } : {}),
    ...(deepest > 0 && isError(cause) ? { cause: factsOf(cause, deepest - 1) } : {}),
  };
}
