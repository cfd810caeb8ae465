import { countWords } from '../../../activities/scoring/words';

describe('countWords', () => {
  it('counts the words of long texts in little memory', () => {
    expect(countWords('We measured it twice, and again. '.repeat(3_000))).toBe(18_000);
    expect(countWords('计'.repeat(10_000))).toBeGreaterThan(0);
  });
});
