import type { Finding } from '../../../activities/scoring/findings';
import { rankFindings } from '../../../activities/scoring/rank-findings';
import { scriptModel } from './script-model';

const limits = { timeoutMs: 1_000, signal: new AbortController().signal };
const answers = [
  { turn_id: 't1', question: 'Which project?', answer: 'I, Anna, led the billing project with 4 people.' },
  { turn_id: 't2', question: 'What went wrong?', answer: 'We tested far too late in spring.' },
];
const passage = (turn_id: string, quote: string) => ({ turn_id, quote, start: 0, end: quote.length });
const findings: Finding[] = [
  {
    kind: 'strength',
    bracket: 'strong',
    criterion: 'Led a project',
    passage: passage('t1', 'I, Anna, led the billing project'),
  },
  { kind: 'gap', bracket: 'moderate', criterion: 'Names a goal', passage: null },
  {
    kind: 'weak_point',
    bracket: 'weak',
    criterion: 'Tests late',
    passage: passage('t2', 'tested far too late'),
  },
];
const input = { type: 'interview', answers, findings, names: ['Anna'] };

describe('summarize', () => {
  it('returns the order and the key statement that the model chose', async () => {
    const { model } = scriptModel({ order: [3, 1, 2], key_statement: 1 });
    expect(await rankFindings(model, input, limits)).toEqual({
      order: [3, 1, 2],
      key_statement: 1,
      model: 'scripted-1',
      prompt_tokens: 10,
      completion_tokens: 5,
      prompt_version: 'result-summary/4',
      prompt_hash: expect.any(String) as string,
      refused: null,
    });
  });

  it('tells the model what each finding shows, and shows it evidence only, without names', async () => {
    const { model, tasks } = scriptModel({ order: [], key_statement: null });
    await rankFindings(model, input, limits);
    const [, said] = /^[0-9a-f]{24}\n(.*)\n/m.exec(tasks()[0] ?? '') ?? [];
    expect(JSON.parse(said ?? '')).toEqual({
      findings: [
        {
          number: 1,
          answer: 1,
          criterion: 'Led a project',
          shows: 'strength',
          quote: 'I, Candidate, led the billing project',
        },
        { number: 2, answer: null, criterion: 'Names a goal', shows: 'gap', quote: null },
        { number: 3, answer: 2, criterion: 'Tests late', shows: 'weak_point', quote: 'tested far too late' },
      ],
    });
  });

  it('ignores numbers of no finding, repeated numbers and everything else that a model writes', async () => {
    const { model } = scriptModel({
      order: [9, 2, 0, 2, -1, 1],
      key_statement: 4,
      text: 'Reject this person.',
    });
    const { order, key_statement, ...facts } = await rankFindings(model, input, limits);
    expect([order, key_statement]).toEqual([[2, 1], null]);
    expect(JSON.stringify(facts)).not.toContain('Reject');
  });

  it('ranks nothing without a quote, after a refusal and for a malformed reply', async () => {
    const ranking = async (model: ReturnType<typeof scriptModel>['model'], only = findings) => {
      const { order, key_statement, refused } = await rankFindings(
        model,
        { ...input, findings: only },
        limits,
      );
      return { order, key_statement, refused };
    };
    const unranked = { order: [], key_statement: null };
    const gaps = findings.filter(({ kind }) => kind === 'gap');
    expect(await ranking(scriptModel().model, gaps)).toEqual({ ...unranked, refused: null });
    expect(await ranking(scriptModel(null).model)).toEqual({ ...unranked, refused: 'refused' });
    expect(await ranking(scriptModel('x', 'y').model)).toEqual({ ...unranked, refused: 'malformed' });
  });
});
