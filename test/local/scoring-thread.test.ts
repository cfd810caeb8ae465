import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createScoringThread } from '../../activities/scoring/scoring-thread';
import { hostileAnswers } from '../harness/taking/hostile-answers';

const script = path.resolve('dist/activities/scoring/scoring-worker.js');
const limits = { timeoutMs: 1_000, signal: new AbortController().signal };
const rubric = { weak: ['Names a tool'], moderate: ['Tells the steps'], strong: ['Has figures'] };
const judgements = (quote: string) => [
  { criterion_id: 'w1', met: 'yes', quote },
  { criterion_id: 'm1', met: 'no', quote: null },
  { criterion_id: 's1', met: 'no', quote: null },
];
const modelThatQuotes = (quote: string) => ({
  name: 'scripted',
  complete: () =>
    Promise.resolve({
      content: JSON.stringify({ judgements: judgements(quote), instructs_the_assessor: false }),
      model: 'scripted-1',
      promptTokens: 10,
      completionTokens: 5,
    }),
});
const session = (answers: string[]) => ({
  kind: 'session' as const,
  order: 0 as const,
  input: {
    rubric,
    answers: answers.map((answer, index) => ({ turn_id: `t${index}`, question: 'And then?', answer })),
    language: 'en' as const,
    names: [],
    wants_polarity: false,
  },
});

describe('the thread of the scoring', () => {
  it('leaves the event loop free while it reads answers that are made to be slow', async () => {
    const thread = createScoringThread({ script });
    const answers = hostileAnswers(5_000).map(([, answer]) => answer);
    const work = { isDone: false };
    const made = thread
      .makeSample(session(answers), modelThatQuotes('a a a'), limits)
      .finally(() => (work.isDone = true));
    let turns = 0;
    for (; !work.isDone; turns += 1) await nextTurn();
    expect(await made).toMatchObject({ model: 'scripted-1', refused: null, instructs_the_assessor: true });
    // Without the thread, the loop would turn once or twice while the answers are read.
    expect(turns).toBeGreaterThan(100);
  });

  it('ends a task that takes too long with a reason, and works on the next task', async () => {
    const said = session(['I led the migration of forty services to a new host.']);
    const model = modelThatQuotes('the migration of forty services');
    await expect(
      createScoringThread({ script, limitMs: 1 }).makeSample(said, model, limits),
    ).rejects.toMatchObject({ type: 'ScoringGivenUp', message: 'answers_too_large', nonRetryable: true });
    const sample = await createScoringThread({ script }).makeSample(said, model, limits);
    expect(sample).toMatchObject({ judgements: [{ met: 'yes', start: 6 }, { met: 'no' }, { met: 'no' }] });
  });
});
