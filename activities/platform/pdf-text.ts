import { limitCombiningMarks } from './limit-marks';

/**
 * Control characters except tab and line feed, and the controls that embed, override or isolate a direction. They have
 * no glyph, an override could make a name read backwards, and the compiler crashes if 125 of them are nested.
 */
// oxlint-disable-next-line no-control-regex -- these characters are what it is about
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/g;

/** Matches a letter of an Indian script with the virama that joins it to the next letter. */
const joined = String.raw`\p{L}[\p{M}\u200c\u200d]{0,3}?[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d][\u200c\u200d]?`;
/** Words join at most five letters. The compiler crashes if a syllable has more than 255 characters. */
const longConjuncts = new RegExp(`((?:${joined}){10})(?:${joined})+`, 'gu');

/**
 * Returns a text as a PDF can show it: without control characters and endless syllables, and with a replacement
 * character for each lone surrogate. The compiler would reject a document that contains a lone surrogate.
 */
export const toPdfText = (text: string): string =>
  limitCombiningMarks(text.replace(/\r\n?/g, '\n').replace(unprintable, ''))
    .replace(longConjuncts, '$1')
    .toWellFormed();

/**
 * Matches runs of characters in which a line cannot break. Leaves out scripts in which a line can break between any
 * letters.
 */
const longRun =
  /[^\s\u200b\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]+/gu;
/** Characters that belong to the one before them. */
const extender = /[\p{M}\u200c\u200d\p{Emoji_Modifier}]/u;
/** The joiner of emoji and the viramas of Indian scripts, which tie the next character to the one before them. */
const ties = new Set('\u200d\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d');
/** Characters below this one extend no other. */
const firstExtender = '\u0300';

/**
 * Returns a text in which a line can break after each `length` characters of a word that is longer than that. Takes
 * linear time: segmenting a word of 20,000 letters with Intl.Segmenter takes 0.2 s.
 */
export const allowLineBreaks = (text: string, length: number): string =>
  text.replace(longRun, (run) => (run.length <= length ? run : breakRun(run, length)));

function breakRun(run: string, length: number): string {
  let [broken, count, last] = ['', 0, ''];
  for (const character of run) {
    const isNew = !ties.has(last) && (character < firstExtender || !extender.test(character));
    if (isNew && count === length) {
      broken += '\u200b';
      count = 0;
    }
    if (isNew) count += 1;
    broken += character;
    last = character;
  }
  return broken;
}
