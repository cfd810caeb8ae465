/**
 * Control characters except tab and line feed, and the marks that override the direction of everything after them.
 * They have no glyph, and an override could make a name read backwards.
 */
// oxlint-disable-next-line no-control-regex -- these characters are what it is about
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\ufeff\ufff9-\ufffb]/g;

/**
 * Returns a text as a PDF can show it: without control characters, and with a replacement character for each lone
 * surrogate. The compiler would reject a document that contains a lone surrogate.
 */
export const pdfText = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(unprintable, '').toWellFormed();

/**
 * Matches runs of characters in which a line cannot break. Leaves out scripts in which a line can break between any
 * letters.
 */
const longRun =
  /[^\s\u200b\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]+/gu;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns a text in which a line can break after each `length` characters of a word that is longer than that. */
export const breakable = (text: string, length: number): string =>
  text.replace(longRun, (run) => {
    if (run.length <= length) return run;
    const parts = Array.from(graphemes.segment(run), ({ segment }) => segment);
    return parts.map((part, at) => (at > 0 && at % length === 0 ? `\u200b${part}` : part)).join('');
  });
