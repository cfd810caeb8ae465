import * as fc from 'fast-check';
import { segmentsOf } from '../../../activities/scoring/segments';

const units = [
  'a',
  '\u0301',
  '\u{1f468}',
  '\u200d',
  '\u{1f3fb}',
  '\u{1f1e9}',
  '\ud83d',
  ' ',
  '.',
  '\r',
  '\n',
  '한',
  'क',
  '्',
];

describe('segmentsOf', () => {
  it.each(['grapheme', 'word'] as const)(
    'finds each %s that the segmenter finds in the whole text',
    (granularity) => {
      const segmenter = new Intl.Segmenter('en', { granularity });
      const text = fc.array(fc.constantFrom(...units), { minLength: 200, maxLength: 900 });
      fc.assert(
        fc.property(text, (parts) => {
          const whole = parts.join('');
          expect(Array.from(segmentsOf(segmenter, whole), ({ segment, index }) => [segment, index])).toEqual(
            Array.from(segmenter.segment(whole), ({ segment, index }) => [segment, index]),
          );
        }),
        { numRuns: 30 },
      );
    },
  );

  it('finds a segment that is longer than a piece', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
    const long = `a${'\u0301'.repeat(5_000)}`;
    expect(Array.from(segmentsOf(segmenter, `${long}b`), ({ segment }) => segment)).toEqual([long, 'b']);
  });
});
