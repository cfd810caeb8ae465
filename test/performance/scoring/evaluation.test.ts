import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createFakeModel } from '../../../bench/eval/fake-model';
import { evaluate, renderTables } from '../../../bench/eval/evaluate';
import type { Evaluation } from '../../../bench/eval/evaluate';

let evaluation: Evaluation;
beforeAll(async () => {
  evaluation = await evaluate(createFakeModel(null), 1);
});

describe('the evaluation with the fake model', () => {
  it('misses no bar', () => {
    expect(evaluation.rows.filter(({ isMissed }) => isMissed)).toEqual([]);
  });

  it('has the tables of docs/scoring.md (npm run eval prints them)', () => {
    const page = readFileSync(path.resolve(__dirname, '../../../docs/scoring.md'), 'utf8');
    const [, tables] = /<!-- evaluation -->\n([\s\S]*)\n<!-- \/evaluation -->/.exec(page) ?? [];
    expect(tables).toBe(renderTables(evaluation));
  });
});
