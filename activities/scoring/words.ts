import { unspacedScripts } from '../platform/unspaced-scripts';
import type { TextSpan } from './fold';
import { segmentsOf } from './segments';

// The locale `en` is used for all languages. It makes no difference, because words of Thai, Chinese and Japanese are
// found by their script.
const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' });
const sentenceSegmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** A part of a text that has a word and no white space. Marks at its beginning are skipped. */
const runs = /[\p{L}\p{M}\p{N}]\S{0,999}/gu;
/** A run that is a single word in all scripts that are written with spaces. */
const singleWord = /^[\p{L}\p{M}\p{N}]+$/u;

function* eachWord(text: string): Generator<string> {
  for (const [run] of text.matchAll(runs)) {
    if (singleWord.test(run) && !unspacedScripts.test(run)) yield run;
    else for (const { segment, isWordLike } of segmentsOf(wordSegmenter, run)) if (isWordLike) yield segment;
  }
}

/** Returns the words of a text in their order, without punctuation. */
export const wordsOf = (text: string): string[] => [...eachWord(text)];

/** Counts the words of a text, but no more than `limit`. */
export const countWords = (text: string, limit = Number.POSITIVE_INFINITY): number =>
  countUpTo(limit, eachWord(text));

function countUpTo(limit: number, items: Iterator<unknown>): number {
  let count = 0;
  while (count < limit && items.next().done !== true) count += 1;
  return count;
}

/** A text counts as written without spaces by its first letters, because a long text has too many to look at all. */
const lettersRead = 2_000;

/** Returns true if at least half of the letters are of scripts that are written without spaces. */
export function isUnspaced(text: string): boolean {
  const letters = text.slice(0, lettersRead).match(/\p{L}/gu) ?? [];
  return (
    letters.length > 0 &&
    letters.filter((letter) => unspacedScripts.test(letter)).length * 2 >= letters.length
  );
}

/** The minimum length of a quote, in words or, for scripts without spaces, in characters. */
export const quoteLength = { words: 3, characters: 6 };

/** Returns true if the text has fewer words than required or, in scripts without spaces, fewer characters. */
export const isShorterThan = (
  text: string,
  { words, characters }: { words: number; characters: number },
): boolean =>
  isUnspaced(text)
    ? countUpTo(characters, text.matchAll(/[\p{L}\p{N}]/gu)) < characters
    : countWords(text, words) < words;

/**
 * Returns the spans of the sentences of a text. In addition to the segmenter's boundaries, a sentence ends at a line
 * break, and at `.`, `!` or `?` before white space, even if a lower-case letter or a bracket follows.
 */
export function sentencesOf(text: string): TextSpan[] {
  const spans: TextSpan[] = [];
  for (const { segment, index } of segmentsOf(sentenceSegmenter, text)) {
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
