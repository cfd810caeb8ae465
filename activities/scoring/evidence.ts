import { LRUCache } from 'lru-cache';
import { applyReplacements, findFolded, foldWithOffsets, foldText } from './fold';
import type { Replacement, FoldedText, TextSpan } from './fold';
import { findInstructions } from './instructions';
import { skeletonOf, removeHiddenCharacters } from './look-alikes';
import { findNamesToRedact, mergeReplacements } from './redact';
import { findRetellings } from './retellings';
import type { Criterion, QuoteRejection, QuestionAnswer } from './types';
import { isShorterThan, quoteLength, wordsOf } from './words';

/** Longer quotes are rejected unread. Evidence is a passage, and comparing a very long one takes too much time. */
const maxQuoteCharacters = 2_000;

/** A question with its answer. `readable` is the answer as the model sees it. */
export type ReadableAnswer = QuestionAnswer & { readable: string; hasInstructions: boolean };
export type Evidence = TextSpan & { turn_id: string | null; quote: string };
/** `place` is where a rejected quote stands, if it was found. */
type Found =
  | { evidence: Evidence; rejected: null }
  | { evidence: null; rejected: QuoteRejection; place: Evidence | null };

type Prepared = ReturnType<typeof prepare>;

/** Bounds the prepared answers that are kept to about 60 MB: five large attempts, and hundreds of ordinary ones. */
const keptCharacters = 4_000_000;
const kept = new LRUCache<string, Prepared>({
  maxSize: keptCharacters,
  sizeCalculation: ({ folded }) => folded.text.length + 1_000,
});

/**
 * Prepares an answer for the model: replaces the candidate's names, and removes instructions to the assessor and
 * invisible characters. An answer is prepared once for all samples, the session and the summary.
 */
export function makeReadable(said: QuestionAnswer, names: readonly string[]): Prepared {
  const key = JSON.stringify([said.turn_id, said.question, said.answer, ...names]);
  const known = kept.get(key);
  if (known) return known;
  const prepared = prepare(said, names);
  kept.set(key, prepared);
  return prepared;
}

function prepare({ turn_id, question, answer }: QuestionAnswer, names: readonly string[]) {
  const instructions = findInstructions(answer);
  const edits: Replacement[] = mergeReplacements([
    ...findNamesToRedact(answer, names),
    // A line break keeps the sentences before and after an instruction apart.
    ...instructions.map(({ start, end }) => ({ start, end, text: '\n' })),
  ]);
  return {
    turn_id,
    question: replaceNames(question, names),
    answer,
    readable: removeHiddenCharacters(applyReplacements(answer, edits)).trim(),
    hasInstructions: instructions.length > 0,
    instructions,
    retellings: findRetellings(answer),
    folded: foldWithOffsets(answer, edits),
  };
}
/** Replaces the candidate's names in a text. */
export const replaceNames = (text: string, names: readonly string[]): string =>
  applyReplacements(text, mergeReplacements(findNamesToRedact(text, names)));

/**
 * Creates the function that decides whether a quote is evidence. The quote must occur in a single answer, ignoring
 * the differences that `foldWithOffsets` removes. It must not be part of an instruction or merely repeat a question or the
 * rubric. The evidence is the passage of the answer that matches the quote, never the text that the model wrote.
 */
export function createEvidenceCheck(
  answers: readonly Prepared[],
  criteria: readonly Criterion[],
  question = '',
) {
  let sources: { rubric: Source[]; questions: Source[] } | undefined;
  const readSources = () =>
    (sources ??= {
      rubric: criteria.map(({ text }) => sourceOf(text)),
      questions: [question, ...answers.map((said) => said.question)].map(sourceOf),
    });

  return (quote: string): Found => {
    const reject = (rejected: QuoteRejection, at: Evidence | null = null): Found => ({
      evidence: null,
      rejected,
      place: at,
    });
    if (quote.length > maxQuoteCharacters) return reject('too_long');
    const needle = trimMarks(foldText(quote));
    if (needle === '') return reject('too_short');
    let isFound = false;
    let place: { said: Prepared; span: TextSpan } | undefined;
    for (const { said, span } of placesOf(answers, needle)) {
      isFound = true;
      if (said.instructions.some((other) => overlap(span, other))) continue;
      place = { said, span };
      break;
    }
    if (!isFound) return reject('not_found');
    if (isShorterThan(needle, quoteLength)) return reject('too_short');
    if (!place) return reject('instruction');
    const { said, span } = place;
    const evidence = { ...span, turn_id: said.turn_id, quote: said.answer.slice(span.start, span.end) };
    const words = comparedWords(needle);
    const { rubric, questions } = readSources();
    if (questions.some((source) => repeats(words, [source]))) return reject('repeats_question', evidence);
    if (repeats(words, rubric)) return reject('repeats_rubric', evidence);
    if (isShorterThan(restOf(said.answer, span, said.retellings), quoteLength))
      return reject('retelling', evidence);
    return { evidence, rejected: null };
  };
}

function* placesOf(answers: readonly Prepared[], needle: string) {
  for (const said of answers) for (const span of findFolded(said.folded, needle)) yield { said, span };
}

const overlap = (one: TextSpan, other: TextSpan): boolean => one.start < other.end && other.start < one.end;

/** Returns what a span has outside of other spans. */
function restOf(text: string, { start, end }: TextSpan, others: readonly TextSpan[]): string {
  const inside = others.map((other) => ({
    start: Math.max(0, other.start - start),
    end: Math.min(other.end, end) - start,
    text: ' ',
  }));
  return applyReplacements(
    text.slice(start, end),
    mergeReplacements(inside.filter((other) => other.start < other.end)),
  );
}

const trimMarks = (text: string): string => text.replace(/^[^\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, '');

/** The number of consecutive copied words that count as a run. */
const runLength = 3;
/** If at least this share of a quote's letters comes from a source, the quote only repeats the source. */
const copiedShare = 0.8;

/** A run of this many letters that also occurs in a source counts as copied, wherever the spaces are. */
const letterRunLength = 16;

type Source = { words: string[]; letterRuns: Set<string> };
function sourceOf(text: string): Source {
  const words = comparedWords(foldText(text));
  return { words, letterRuns: new Set(letterRunsOf(words.join(''))) };
}

const letterRunsOf = (letters: string): string[] =>
  Array.from({ length: Math.max(0, letters.length - letterRunLength + 1) }, (_, at) =>
    letters.slice(at, at + letterRunLength),
  );

/** Returns the words of a folded text without punctuation, each in a form that is the same for disguised copies. */
const comparedWords = (folded: string): string[] =>
  wordsOf(folded).flatMap((word) => skeletonOf(word).match(/[\p{L}\p{M}\p{N}']+/gu) ?? []);

/**
 * Returns true if a quote only repeats its sources, which are questions or items of the rubric. This is so if nearly
 * all of its letters are in words of one source, or in runs of words or letters that are copied from any source.
 */
function repeats(words: readonly string[], sources: readonly Source[]): boolean {
  if (repeatsLetters(words.join(''), sources)) return true;
  const letters = words.join('').length;
  const inRuns = new Set(sources.flatMap((source) => findRuns(words, source.words)));
  const share = (isCopied: (word: string, index: number) => boolean): number =>
    words.filter((word, index) => isCopied(word, index)).join('').length / letters;
  return (
    share((_word, index) => inRuns.has(index)) >= copiedShare ||
    sources.some(
      (source) => share((word) => source.words.some((other) => isAlike(word, other))) >= copiedShare,
    )
  );
}

/**
 * Returns true if nearly all of the letters are copied from the sources. Spaces between the words make no difference.
 */
function repeatsLetters(letters: string, sources: readonly Source[]): boolean {
  let [copied, until] = [0, 0];
  for (const [at, run] of letterRunsOf(letters).entries()) {
    if (!sources.some(({ letterRuns }) => letterRuns.has(run))) continue;
    copied += at + letterRunLength - Math.max(at, until);
    until = at + letterRunLength;
  }
  return copied > 0 && copied / letters.length >= copiedShare;
}

/**
 * Returns the indexes of the words that are part of a run: `runLength` consecutive words that are also consecutive in
 * the source.
 */
function findRuns(words: readonly string[], source: readonly string[]): number[] {
  const found: number[] = [];
  for (let index = 0; index + runLength <= words.length; index += 1)
    for (let at = 0; at + runLength <= source.length; at += 1) {
      let length = 0;
      while (length < runLength && isAlike(words[index + length] ?? '', source[at + length] ?? ''))
        length += 1;
      if (length === runLength) for (let word = index; word < index + runLength; word += 1) found.push(word);
    }
  return found;
}

/** Returns true for equal words and for words that differ only in their last letters, such as "names" and "named". */
function isAlike(one: string, other: string): boolean {
  if (one === other) return true;
  if (one[0] !== other[0]) return false;
  const shorter = Math.min(one.length, other.length);
  let same = 0;
  while (same < shorter && one[same] === other[same]) same += 1;
  return same >= 4 && Math.max(one.length, other.length) - same <= 3;
}

/** Returns true if the candidate said nothing but instructions, or nothing at all. */
export const saidNothing = ({ readable }: Pick<ReadableAnswer, 'readable'>): boolean =>
  !/[\p{L}\p{N}]/u.test(readable);
export type { FoldedText, Prepared };
