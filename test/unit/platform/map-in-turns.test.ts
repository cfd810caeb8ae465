import { mapInTurns } from '../../../api/platform/operation/map-in-turns';

describe('mapInTurns', () => {
  it('maps in order and lets other work run after every 50 entries', async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      waiting = setImmediate(count);
    };
    let waiting = setImmediate(count);
    const seen = await mapInTurns(
      Array.from({ length: 151 }, (_, index) => index),
      (entry, index) => [entry, index, turns],
    );
    clearImmediate(waiting);
    expect(seen.map(([entry, index]) => entry === index)).not.toContain(false);
    expect([49, 50, 100, 150].map((at) => seen[at]?.[2])).toEqual([0, 1, 2, 3]);
  });

  it('rejects with the error of the mapping', () =>
    expect(mapInTurns([1], () => Promise.reject(new Error('no')))).rejects.toThrow('no'));
});
