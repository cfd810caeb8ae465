import { createModel } from '../../../../activities/providers/openai';
import { prepareAnswerAssessment } from '../../../../activities/scoring/assess';
import type { Finding } from '../../../../activities/scoring/findings';
import { rankFindings } from '../../../../activities/scoring/rank-findings';
import { assessmentFaults } from '../../../../local/fakes/assessment-faults';
import { startFakes, type Fakes } from '../../../../local/fakes/server';

let fakes: Fakes;
let model: ReturnType<typeof createModel>;
beforeAll(async () => {
  fakes = await startFakes({ port: 0 });
  model = createModel({ apiKey: 'key', baseUrl: `${fakes.url}/openai/v1`, model: 'gpt-4.1' });
});
afterAll(() => fakes.close());
beforeEach(() => fetch(`${fakes.url}/faults`, { method: 'DELETE' }));

const fault = async (more: object) => {
  const body = JSON.stringify({ provider: 'openai', call: 'assessment', times: 9, ...more });
  expect((await fetch(`${fakes.url}/faults`, { method: 'POST', body })).status).toBe(201);
};
const rubric = {
  weak: ['Names a project'],
  moderate: ['Describes the importer that was written'],
  strong: ['Gives figures for the errors before and after'],
};
const answer =
  'I wrote an importer for the invoices last year. Before that there were 40 errors a week, after it 3.';
const limits = { timeoutMs: 20_000, signal: new AbortController().signal };
const said = (text: string) => [{ turn_id: 't1', question: '', answer: text }];
const input = {
  question: 'Which project?',
  rubric,
  answers: said(answer),
  language: 'en' as const,
  names: [],
};
const passage = { turn_id: 't1', quote: 'I wrote an importer', start: 0, end: 19 };
const findings: Finding[] = [
  { kind: 'gap', bracket: 'strong', criterion: 'Compared alternatives', passage: null },
  { kind: 'strength', bracket: 'moderate', criterion: 'Wrote an importer', passage },
  { kind: 'weak_point', bracket: 'weak', criterion: 'Names a project', passage },
];
const summaryInput = {
  type: 'interview',
  answers: [{ turn_id: 't1', question: 'Which project?', answer }],
  findings,
  names: [],
};

describe('openai: assessments', () => {
  it('judges by shared words, always alike, and quotes the sentence', async () => {
    const sample = await prepareAnswerAssessment(input)(model, 0, limits);
    expect(sample.judgements).toMatchObject([
      { criterion_id: 'w1', met: 'no' },
      { criterion_id: 'm1', met: 'yes', quote: 'I wrote an importer for the invoices last year' },
      { criterion_id: 's1', met: 'yes' },
    ]);
    expect(await prepareAnswerAssessment(input)(model, 0, limits)).toEqual(sample);
  });

  it('lies in replies, and no lie becomes evidence', async () => {
    for (const assessment of assessmentFaults) {
      await fault({ assessment });
      const judged = prepareAnswerAssessment(input)(model, 0, limits);
      if (['wrong_ids', 'missing_ids', 'numbers', 'cut_off', 'empty'].includes(assessment))
        await expect(judged).rejects.toMatchObject({ kind: 'malformed' });
      else {
        const { judgements, refused } = await judged;
        expect([assessment, refused]).toEqual([assessment, null]);
        for (const { quote, start, end } of judgements)
          if (quote !== null) expect(answer.slice(start ?? 0, end ?? 0)).toBe(quote);
        const { order, key_statement } = await rankFindings(model, summaryInput, limits);
        for (const number of [...order, key_statement ?? 1]) expect([1, 2, 3]).toContain(number);
      }
      await fetch(`${fakes.url}/faults`, { method: 'DELETE' });
    }
  });
});
