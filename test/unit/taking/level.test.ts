import { loudestLevel } from '../../../api/taking/app/level';

const silence = () => new Float32Array(16_384);

describe('the level of a sound', () => {
  it('is 0 for silence and the same for a short sound as for a long one', () => {
    const short = silence().fill(0.5, 6_000, 10_100);
    expect([silence(), short, silence().fill(0.5)].map(loudestLevel)).toEqual([0, 0.5, 0.5]);
  });
});
