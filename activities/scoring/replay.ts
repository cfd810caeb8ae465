import type { ModelAnswer } from '../providers/completion';
import type { Model } from '../providers/openai';
import { ProviderError } from '../providers/provider-error';
import { malformedReplyError } from './ask';
import type { AssessingModel } from './ask';
import type { ModelCallLimits } from './types';

type Request = Parameters<Model['complete']>[0];

/** The model's replies so far, in the order of the calls. Null stands for a call that failed. */
export type ModelReplies = readonly (ModelAnswer | null)[];
/**
 * How far some work came with the replies so far: it is done, it needs another call, it cannot go on after a call that
 * failed, or it cannot use the replies.
 */
export type ModelWorkState<Value> =
  | { state: 'done'; value: Value }
  | { state: 'calls'; request: Omit<Request, 'timeoutMs' | 'signal'> }
  | { state: 'failed' }
  | { state: 'unusable' };

class CallFailed extends Error {}

/**
 * Does work that calls a model, in a thread that cannot call it. The work runs from its beginning with the replies so
 * far, up to the first call that has no reply yet. `runWithModelCalls` makes this call and repeats the work. Work must
 * therefore make the same calls each time.
 */
export const runWithReplies = <Value>(
  name: string,
  work: (model: AssessingModel, limits: ModelCallLimits) => Promise<Value>,
  replies: ModelReplies,
): Promise<ModelWorkState<Value>> =>
  new Promise((resolve, reject) => {
    const left = [...replies];
    const complete = ({
      timeoutMs: _timeoutMs,
      signal: _signal,
      ...request
    }: Request): Promise<ModelAnswer> => {
      const reply = left.shift();
      if (reply === null) return Promise.reject(new CallFailed());
      if (reply) return Promise.resolve(reply);
      resolve({ state: 'calls', request });
      // The work is given up here, so its promise never settles.
      return new Promise(() => undefined);
    };
    const limits = { timeoutMs: 0, signal: new AbortController().signal };
    work({ name, complete }, limits).then(
      (value) => resolve({ state: 'done', value }),
      (error: unknown) => {
        if (error instanceof CallFailed) resolve({ state: 'failed' });
        else if (error instanceof ProviderError) resolve({ state: 'unusable' });
        else reject(error);
      },
    );
  });

/**
 * Makes the calls that work in a thread needs, and returns what the work returned. `advance` runs the work with the
 * replies so far. Throws the error of a call if the work cannot go on without its reply, and ProviderError if it cannot
 * use the replies.
 */
export async function runWithModelCalls<Value>(
  advance: (replies: ModelReplies) => Promise<ModelWorkState<Value>>,
  model: Pick<Model, 'complete'>,
  limits: ModelCallLimits,
): Promise<Value> {
  const replies: (ModelAnswer | null)[] = [];
  for (let error: unknown; ;) {
    const step = await advance(replies);
    if (step.state === 'done') return step.value;
    if (step.state === 'failed') throw error;
    if (step.state === 'unusable') throw malformedReplyError();
    const reply = await model.complete({ ...step.request, ...limits }).catch((failure: unknown) => {
      error = failure;
      return null;
    });
    replies.push(reply);
  }
}
