import { prepareAnswerAssessment } from '../../../activities/scoring/assess';
import { countWords } from '../../../activities/scoring/words';
import { findTextProblem } from '../../../activities/taking/check-text';
import { cpuMilliseconds } from '../../harness/platform/cpu-time';
import { hostileAnswers } from '../../harness/taking/hostile-answers';

/** A rubric of nine items, and a model that quotes another passage of the answer for each of them. */
const items = (word: string) => Array.from({ length: 3 }, (_, item) => `Names ${word} number ${item}`);
const rubric = { weak: items('tool'), moderate: items('step'), strong: items('result') };
const quotes = 9;

async function assess(answer: string, turn: number): Promise<void> {
  const content = JSON.stringify({
    judgements: ['w', 'm', 's'].flatMap((bracket, third) =>
      Array.from({ length: quotes / 3 }, (_, item) => {
        const from = Math.floor((answer.length * (third * 3 + item)) / quotes);
        return {
          criterion_id: `${bracket}${item + 1}`,
          met: 'yes',
          quote: answer.slice(from, from + 1_900).toWellFormed(),
        };
      }),
    ),
    instructs_the_assessor: false,
  });
  const reply = { content, model: 'scripted', promptTokens: 0, completionTokens: 0 };
  const model = { name: 'scripted', complete: () => Promise.resolve(reply) };
  // Prepared answers are kept, so each run has another turn.
  const answers = [{ turn_id: `${turn}`, question: 'What did you do?', answer }];
  const input = {
    question: 'What did you do?',
    rubric,
    answers,
    language: 'en' as const,
    names: ['Max Lee'],
  };
  await prepareAnswerAssessment(input)(model, 0, { timeoutMs: 1, signal: new AbortController().signal });
}

let turn = 0;
/** Returns the CPU time of one run. */
async function cpuOf(answer: string): Promise<number> {
  const before = process.cpuUsage();
  await assess(answer, (turn += 1));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
/** Returns how many times longer the whole answer takes than its first quarter. */
async function growthOf(answer: string): Promise<number> {
  const quarter = await cpuOf(answer.slice(0, answer.length / 4).toWellFormed());
  return (await cpuOf(answer)) / Math.max(quarter, minMs);
}

/** Shorter times are too much affected by garbage collection to be compared. */
const minMs = 20;

describe('an answer that is made to be slow', () => {
  it.each(hostileAnswers(20_000))('is assessed in linear time: %s', async (_name, answer) => {
    // Four times the text takes 16 times as long if the time is quadratic. Garbage collection can slow a run, so the
    // runs are repeated if they seem slow.
    let growth = await growthOf(answer);
    for (let run = 0; run < 3 && growth >= 8; run += 1) growth = Math.min(growth, await growthOf(answer));
    expect(growth).toBeLessThan(8);
  });

  it.each(hostileAnswers(20_000))('is counted and compared with a question at once: %s', (_name, answer) => {
    const checked = {
      language: 'en' as const,
      questions: 1 as const,
      rubric: null,
      expectations: null,
      answer,
    };
    expect(
      cpuMilliseconds(() => void findTextProblem('What happened after that?', checked), 50),
    ).toBeLessThan(100);
    expect(cpuMilliseconds(() => void countWords(answer, 12), 50)).toBeLessThan(100);
  });
});
