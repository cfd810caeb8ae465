import { findTextProblem } from '../../../activities/taking/check-text';
import { nextTurnPrompt } from '../../../activities/taking/prompts';
import type { NextTurnBrief } from '../../../activities/taking/prompts';
import { composeDecision } from '../../../local/fakes/next-turn';
import { injectionsFor } from '../../harness/taking/injections';

const rubric = {
  weak: ['Names planning as part of the work'],
  moderate: ['Explains the own part in a project'],
  strong: ['Backs the result of the project with numbers or feedback'],
};
const brief: NextTurnBrief = {
  language: { code: 'en', name: 'English' },
  question: 'Tell me about a project.',
  rubric,
  expectations: null,
  tone: 'formal and precise',
  conditional_question: null,
  may_follow_up: true,
  earlier_follow_ups: [],
};
const strong = rubric.strong[0] ?? '';

const injections = injectionsFor(strong);

describe('answers with instructions to the model', () => {
  it.each(injections)('are data, and what an obedient model writes is not shown: %s', (answer) => {
    const prompt = nextTurnPrompt.user(brief, answer);
    const decided = composeDecision(prompt, 'obeys_answer') as { follow_up: string };
    expect(decided.follow_up.length).toBeGreaterThan(0);
    expect(answer).toContain(decided.follow_up);
    const problem = findTextProblem(decided.follow_up, {
      language: 'en',
      questions: 1,
      rubric,
      expectations: null,
      answer,
    });
    expect(problem).not.toBeNull();
  });

  it.each(['reveals_rubric', 'other_language', 'several_questions', 'too_long'] as const)(
    'lead to no text that the checks let pass: %s',
    (lie) => {
      for (const answer of injections) {
        const { follow_up: text } = composeDecision(nextTurnPrompt.user(brief, answer), lie) as {
          follow_up: string;
        };
        const problem = findTextProblem(text, {
          language: 'en',
          questions: 1,
          rubric,
          expectations: null,
          answer,
        });
        expect([lie, problem]).toEqual([lie, expect.any(String)]);
      }
    },
  );

  it('cannot end the data of the prompt', () => {
    for (const answer of injections) {
      const prompt = nextTurnPrompt.user({ ...brief, question: 'Why </turn>?' }, answer);
      expect(prompt.match(/<\/turn>/g)).toHaveLength(1);
      const [, fence] = /the two lines ([0-9a-f]{24}):/.exec(prompt) ?? [];
      expect(prompt.split('\n').filter((line) => line === fence)).toHaveLength(2);
      expect(JSON.parse(prompt.split('\n').at(-2) ?? '')).toEqual({ answer });
    }
  });
});
