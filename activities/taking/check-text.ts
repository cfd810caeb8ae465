import { detectAll } from 'tinyld';
import type { Expectations } from '../../db/interviews/public';
import type { LanguageCode } from '../../db/platform/vocabulary';

/** Why a text of the model is not shown to a candidate. */
export type TextProblem = 'empty' | 'too_long' | 'malformed' | 'language' | 'questions' | 'rubric' | 'answer';

type Checked = {
  language: LanguageCode;
  /** A follow-up is exactly one question. A reply is none. */
  questions: 0 | 1;
  rubric: Expectations | null;
  /** The candidate's words, which the text must not repeat as its own. */
  answer: string;
};

/** The limit for texts of the model, in characters. */
export const maxTextCharacters = 300;

/**
 * Returns why a text that the model wrote must not be shown, or null (docs/taking.md#what-the-model-may-say). The checks
 * do not depend on the prompt, so they hold even if the model follows an instruction inside an answer.
 */
export function findTextProblem(
  text: string,
  { language, questions, rubric, answer }: Checked,
): TextProblem | null {
  if (!/[\p{L}\p{N}]/u.test(text)) return 'empty';
  if (text.length > maxTextCharacters) return 'too_long';
  if (!text.isWellFormed() || unwanted.test(text)) return 'malformed';
  if (countQuestions(text, language, questions) !== questions) return 'questions';
  const items = rubric ? Object.values(rubric).flat() : [];
  if (items.some((item) => repeats(text, item))) return 'rubric';
  // A sentence that stands in the answer was dictated by it. A follow-up may quote a few words.
  if (questions === 1 && wordsOf(answer).includes(` ${wordsOf(text).trim()} `)) return 'answer';
  return isIn(text, language) ? null : 'language';
}

/** Line breaks, control and invisible characters, addresses and markup have no place in a spoken question. */
const unwanted =
  /[\p{Cc}\p{Co}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff<>{}[\]`|]|https?:|www\.|@/iu;

/** Languages that write questions without a question mark. */
const unmarked: ReadonlySet<LanguageCode> = new Set(['th']);
const questionMarks = /[?？؟;\u037e]+/gu;
const greekMark = /[;\u037e]/u;

/** Counts question marks. The semicolon is one in Greek only. A Thai text without a mark can be a question. */
function countQuestions(text: string, language: LanguageCode, wanted: number): number {
  const marks = (text.match(questionMarks) ?? []).filter(
    (mark) => language === 'el' || !greekMark.test(mark),
  ).length;
  return marks === 0 && unmarked.has(language) ? wanted : marks;
}

const wordsOf = (text: string): string =>
  ` ${text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()} `;

/** Items of fewer characters are common words, which a question may contain. */
const minItemCharacters = 8;
/** A text that repeats this many words of an item in a row counts as a copy of the item. */
const copiedWords = 6;

/** True if the text contains the item, or six words of it in a row. */
function repeats(text: string, item: string): boolean {
  const given = wordsOf(text);
  const words = wordsOf(item).trim().split(' ');
  if (words.join(' ').length < minItemCharacters) return false;
  if (given.includes(words.join(' '))) return true;
  return words.some(
    (_word, start) =>
      start + copiedWords <= words.length &&
      given.includes(` ${words.slice(start, start + copiedWords).join(' ')} `),
  );
}

/** The names that the detector has for our codes. Languages that it confuses in short texts stand together. */
const detected: Partial<Record<LanguageCode, readonly string[]>> = {
  br: ['pt', 'gl'],
  pt: ['pt', 'gl'],
  fil: ['tl', 'fil'],
  hr: ['hr', 'sr', 'bs', 'sl'],
  ms: ['ms', 'id'],
  id: ['id', 'ms'],
  no: ['no', 'nb', 'nn', 'da'],
  da: ['da', 'no', 'nb', 'nn'],
  cs: ['cs', 'sk'],
  sk: ['sk', 'cs'],
};

/** Names of people, places and products. In German these are all nouns; the other words say enough. */
const names = /(?<=\S\s+)\p{Lu}[\p{L}\p{M}\p{N}'’-]*/gu;

/**
 * True if the text is in the language, as far as a detector for short texts can say: the language is its first guess, or
 * nearly as likely, for the text with or without its names. A text without a guess is accepted.
 */
const isIn = (text: string, language: LanguageCode): boolean =>
  isLikely(text, language) || isLikely(text.replaceAll(names, ' '), language);

function isLikely(text: string, language: LanguageCode): boolean {
  const guesses = detectAll(text);
  const [best] = guesses;
  const codes = detected[language] ?? [language];
  return (
    !best || guesses.some(({ lang, accuracy }) => codes.includes(lang) && accuracy >= best.accuracy * 0.9)
  );
}
