import type { AssessingModel } from '../../../activities/scoring/ask';

type Call = Parameters<AssessingModel['complete']>[0];

/**
 * Returns a model that gives these replies in order: an object is sent as JSON, a text as it is, null as a refusal,
 * and an error is thrown. The model records its calls.
 */
export function scriptModel(...replies: unknown[]): {
  model: AssessingModel;
  calls: Call[];
  /** The texts of the task messages of the calls. */
  tasks: () => string[];
} {
  const calls: Call[] = [];
  const left = [...replies];
  return {
    calls,
    tasks: () =>
      calls.map(({ messages: [, task] }) => (typeof task?.content === 'string' ? task.content : '')),
    model: {
      name: 'scripted',
      complete: (request) => {
        calls.push({ ...request, messages: [...request.messages] });
        if (left.length === 0) throw new Error('there was one call too many');
        const reply = left.shift();
        if (reply instanceof Error) return Promise.reject(reply);
        const content = reply === null || typeof reply === 'string' ? reply : JSON.stringify(reply);
        return Promise.resolve({ content, model: 'scripted-1', promptTokens: 10, completionTokens: 5 });
      },
    },
  };
}
