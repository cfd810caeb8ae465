import { languageCodes } from '../../db/platform/vocabulary';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { largeNumbers } from './role-signs';

/** A quote with fewer letters and digits could stand anywhere. */
const minQuoteLetters = 8;
/** The sources of a reply have at most 20,000 characters of the description and 6,000 of passages. NFKC can lengthen them. */
const maxComparedCharacters = 100_000;
/** Matches what follows the first 30 marks of a letter. Sorting them, as NFKC does, takes quadratic time. */
const excessiveMarks = /(?<=\p{M}{30})\p{M}+/gu;

const plain = (text: string): string =>
  text.replaceAll(excessiveMarks, '').normalize('NFKC').slice(0, maxComparedCharacters).toLowerCase();
const lettersOf = (text: string): string => plain(text).replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '');
const numbersOf = (text: string): string[] => plain(text).match(/\p{Nd}+/gu) ?? [];
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const wordsOf = (text: string): string[] =>
  Array.from(segmenter.segment(plain(text)))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);

/**
 * Returns whether the reply of a public avatar rests on its sources: its quote stands there word for word and has the numbers
 * of the reply, and no part of the reply is what the visitor dictated. Other words of the reply cannot be compared, because
 * the sources may be in another language.
 */
export function isBackedBySources(
  { reply, quote }: { reply: string; quote: string },
  sources: readonly string[],
  question: string,
  language: LanguageCode,
): boolean {
  const quoted = lettersOf(quote);
  if (quoted.length < minQuoteLetters || !sources.some((text) => lettersOf(text).includes(quoted)))
    return false;
  const known = new Set(numbersOf(quote));
  if (numbersOf(reply).some((number) => !known.has(number))) return false;
  if (
    largeNumbers(reply, language).length > 0 &&
    known.size === 0 &&
    !languageCodes.some((code) => largeNumbers(quote, code).length > 0)
  )
    return false;
  return !isDictated(reply, sources, question);
}

/** Matches the parts of a text that end with a mark, each with the mark. */
const parts = /([^.!?;:,\n。！？；：、，؟؛،।"“”„«»]+)([.!?;:,\n。！？；：、，؟؛،।"“”„«»]*)/gu;
/** As many words in a row of the visitor, and more than half of a part of the reply, count as dictated. */
const minDictated = 3;

/**
 * Returns true if a part of the reply has words of the visitor in a row, of which the sources lack one. A question of the visitor
 * dictates nothing, because an answer may take up its words, unless it is the whole reply. One word, such as "No", is no dictation.
 */
function isDictated(reply: string, sources: readonly string[], question: string): boolean {
  const known = new Set(sources.flatMap(wordsOf));
  const all = wordsOf(reply);
  const isUnknown = (words: readonly string[]): boolean => words.some((word) => !known.has(word));
  if (all.length > 1 && isUnknown(all) && longestRun(all, wordsOf(question)).length === all.length)
    return true;
  const dictations = Array.from(question.matchAll(parts), ([, part = '', mark = '']) => ({ part, mark }))
    .filter(
      ({ mark }, index, before) =>
        !/[?？؟]/u.test(mark) || /[:："“”„«»]/u.test(before[index - 1]?.mark ?? ''),
    )
    .map(({ part }) => wordsOf(part));
  return Array.from(reply.matchAll(parts), ([part]) => wordsOf(part)).some((words) =>
    dictations.some((dictation) => {
      const run = longestRun(words, dictation);
      return run.length >= minDictated && run.length * 2 > words.length && isUnknown(run);
    }),
  );
}

/** Returns the most words in a row that both lists have. */
function longestRun(words: readonly string[], others: readonly string[]): string[] {
  let longest: string[] = [];
  let before: number[] = [];
  words.forEach((word, at) => {
    const row = others.map((other, index) => (other === word ? (before[index - 1] ?? 0) + 1 : 0));
    const length = Math.max(0, ...row);
    if (length > longest.length) longest = words.slice(at + 1 - length, at + 1);
    before = row;
  });
  return longest;
}
