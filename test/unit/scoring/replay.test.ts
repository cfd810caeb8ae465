import { ProviderError } from '../../../activities/providers/provider-error';
import { prepareAnswerAssessment } from '../../../activities/scoring/assess';
import { runWithModelCalls, runWithReplies } from '../../../activities/scoring/replay';
import { scriptModel } from './script-model';

const limits = { timeoutMs: 1_000, signal: new AbortController().signal };
const work = prepareAnswerAssessment({
  question: 'Which project?',
  rubric: { weak: ['Names a tool'], moderate: ['Tells the steps'], strong: ['Has figures'] },
  answers: [{ turn_id: 't1', question: '', answer: 'I moved the payment service in four steps.' }],
  language: 'en',
  names: [],
});
const reply = (quote: string) => ({
  judgements: [
    { criterion_id: 'w1', met: 'no', quote: null },
    { criterion_id: 'm1', met: 'yes', quote },
    { criterion_id: 's1', met: 'no', quote: null },
  ],
  instructs_the_assessor: false,
});
const right = reply('moved the payment service');
const wrong = reply('moved all the services');

/** Makes the sample with a model that is called outside of the work, and with one that the work calls. */
async function both(...replies: unknown[]) {
  const [outside, inside] = [scriptModel(...replies), scriptModel(...replies)];
  const made = await runWithModelCalls(
    (sofar) => runWithReplies('scripted', (model, given) => work(model, 0, given), sofar),
    outside.model,
    limits,
  ).catch((error: unknown) => error);
  const expected = await work(inside.model, 0, limits).catch((error: unknown) => error);
  return { made, expected, calls: outside.calls.length };
}

describe('work that is repeated with the replies of a model', () => {
  const away = new ProviderError('the model', '503');
  it.each([
    ['one reply', 1, [right]],
    ['a repaired reply', 2, [wrong, right]],
    ['a refusal', 1, [null]],
    ['a repair that fails', 2, [wrong, away]],
    ['a call that fails', 1, [away]],
    ['a call that fails after an unusable reply', 2, ['text', away]],
    ['two unusable replies', 2, ['text', 'text']],
  ])('ends as if it called the model itself, with %s', async (_name, calls, replies) => {
    const ended = await both(...replies);
    expect(ended.made).toEqual(ended.expected);
    expect(ended.calls).toBe(calls);
  });
});
