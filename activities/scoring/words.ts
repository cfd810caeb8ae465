import { unspaced } from './fold';
import type { Span } from './fold';

// The locale `en` is used for all languages. It makes no difference, because words of Thai, Chinese and Japanese are
// found by their script.
const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' });
const sentenceSegmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Splits at white space first: the segmenter copies the whole text into each segment, so a long text would take
 * gigabytes.
 */
const wordRuns = /\S{1,1000}/gu;

/** Returns the words of a text in their order, without punctuation. */
export const wordsOf = (text: string): string[] =>
  (text.match(wordRuns) ?? []).flatMap((run) =>
    Array.from(wordSegmenter.segment(run))
      .filter(({ isWordLike }) => isWordLike)
      .map(({ segment }) => segment),
  );

export const countWords = (text: string): number => wordsOf(text).length;

/** Counts letters and digits. */
export const countCharacters = (text: string): number => (text.match(/[\p{L}\p{N}]/gu) ?? []).length;

/** Returns true if at least half of the letters are of scripts that are written without spaces. */
export function isUnspaced(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  return letters.length > 0 && letters.filter((letter) => unspaced.test(letter)).length * 2 >= letters.length;
}

/** Returns true if the text has fewer words than required or, in scripts without spaces, fewer characters. */
export const isShorterThan = (
  text: string,
  { words, characters }: { words: number; characters: number },
): boolean => (isUnspaced(text) ? countCharacters(text) < characters : countWords(text) < words);

/**
 * Returns the spans of the sentences of a text. In addition to the segmenter's boundaries, a sentence ends at a line
 * break, and at `.`, `!` or `?` before white space, even if a lower-case letter or a bracket follows.
 */
export function sentencesOf(text: string): Span[] {
  const spans: Span[] = [];
  for (const { segment, index } of sentenceSegmenter.segment(text)) {
    let from = index;
    for (const part of segment.split(/(?<=[\n\r])|(?=\S)(?<=[.!?]["'»”)\]]?\s+)/u)) {
      const start = from + (part.length - part.trimStart().length);
      const end = start + part.trim().length;
      if (end > start) spans.push({ start, end });
      from += part.length;
    }
  }
  return spans;
}
