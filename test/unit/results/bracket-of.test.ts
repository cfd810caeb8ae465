import { bracketOf } from '../../../db/results/public';

describe('bracketOf', () => {
  it('compares scores exactly with 4 and 7 of 10, whatever the highest score is', () => {
    const scores = [
      [3.9, 10],
      [4, 10],
      [6.9, 10],
      [7, 10],
      [1.1, 3],
      [1.2, 3],
      [2.1, 3],
    ] as const;
    const found = scores.map(([score, highest]) => bracketOf(score / highest));
    expect(found).toEqual(['weak', 'moderate', 'moderate', 'strong', 'weak', 'moderate', 'strong']);
  });
});
