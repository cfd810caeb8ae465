import { findInstructions } from '../../../activities/scoring/instructions';
import { readGold } from '../../../bench/eval/gold';
import { weightedKappa } from '../../../bench/eval/statistics';

describe('the gold set', () => {
  const { cases, injections } = readGold();

  it('has at least 120 answers in six languages, with known brackets of every kind', () => {
    expect(cases.length).toBeGreaterThanOrEqual(120);
    expect(new Set(cases.map(({ language }) => language)).size).toBeGreaterThanOrEqual(6);
    expect(new Set(cases.map(({ expect: bracket }) => bracket)).size).toBe(4);
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  });

  it('has instructions in 56 forms', () => {
    expect(injections.length).toBeGreaterThanOrEqual(56);
    expect(new Set(injections.map(({ id }) => id)).size).toBe(injections.length);
  });

  it('has no honest answer that counts as an instruction', () => {
    expect(cases.filter(({ answer }) => findInstructions(answer).length > 0).map(({ id }) => id)).toEqual([]);
  });
});

describe('weightedKappa', () => {
  it.each([
    [
      1,
      [
        [0, 0],
        [1, 1],
        [2, 2],
      ],
    ],
    [
      -1,
      [
        [0, 2],
        [2, 0],
      ],
    ],
    [
      0,
      [
        [0, 0],
        [0, 2],
        [2, 0],
        [2, 2],
      ],
    ],
    // Weighted kappa, calculated by hand: the pairs disagree by 0.25, chance alone would give (0.5 + 4 + 1 + 1 + 2 +
    // 0.25) / 5 = 1.75, and 1 - 0.25 / 1.75 = 0.857143.
    [
      0.857143,
      [
        [0, 0],
        [0, 0],
        [1, 2],
        [2, 2],
        [1, 1],
      ],
    ],
  ] as [number, [number, number][]][])('is %d for %j', (kappa, pairs) => {
    expect(weightedKappa(pairs, 3)).toBeCloseTo(kappa, 4);
  });
});
