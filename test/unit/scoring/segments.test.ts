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
      const placesOf = (segments: Iterable<Pick<Intl.SegmentData, 'index'>>) =>
        Array.from(segments, ({ index }) => index).join();
      fc.assert(
        fc.property(text, (parts) => {
          const whole = parts.join('');
          expect(placesOf(segmentsOf(segmenter, whole))).toBe(placesOf(segmenter.segment(whole)));
        }),
        { numRuns: 30 },
      );
    },
  );

  it('does not cut a character after half of another one at the end of a piece', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
    const cut = `${units[6]}${units[4]}`;
    const text = `${'a'.repeat(255)}${cut}b`;
    const segments = Array.from(segmentsOf(segmenter, text), ({ segment }) => segment);
    expect(segments.slice(255)).toEqual([cut, 'b']);
  });

  it('does not end a word before a full stop at the end of a piece', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
    const word = `${'a'.repeat(100)}.a`;
    const text = `${'a'.repeat(154)} ${word}`;
    expect(Array.from(segmentsOf(segmenter, text), ({ segment }) => segment).at(-1)).toBe(word);
  });

  it('finds a segment that is longer than a piece', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
    const long = `a${'\u0301'.repeat(5_000)}`;
    expect(Array.from(segmentsOf(segmenter, `${long}b`), ({ segment }) => segment)).toEqual([long, 'b']);
  });
});
