import { detectAll } from 'tinyld';
import type { Expectations } from '../../db/interviews/public';
import { isoCodeOf, languages } from '../../db/platform/vocabulary';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { leavesRole } from './role-signs';

/** Why a text of the model is not shown to a candidate. */
export type TextProblem =
  | 'empty'
  | 'too_long'
  | 'malformed'
  | 'language'
  | 'questions'
  | 'rubric'
  | 'answer'
  | 'role'
  | 'unfounded';

type Checked = {
  language: LanguageCode;
  /** The number of questions that the text must contain: one in a follow-up, none in a reply, and any in a reaction. */
  questions: 0 | 1 | 'any';
  rubric: Expectations | null;
  /** What a good candidate shows, in the words of the recruiter. */
  expectations: string | null;
  /** The candidate's words, which the text must not repeat as its own. */
  answer: string;
  /** For a reaction of a person whom the AI plays: the texts of the employer that it may use, and its prompt. */
  role?: { own: readonly string[]; prompt: string } | undefined;
  /** The most characters of the text, if it may be longer than a follow-up. */
  maxCharacters?: number;
};

/** The limit for texts of the model, in characters. */
export const maxTextCharacters = 300;

/**
 * Returns why a text that the model wrote must not be shown, or null (docs/taking.md#what-the-model-may-say). The checks
 * do not depend on the prompt, so they hold even if the model follows an instruction inside an answer.
 */
export function findTextProblem(
  text: string,
  { language, questions, rubric, expectations, answer, role, maxCharacters = maxTextCharacters }: Checked,
): TextProblem | null {
  if (!/[\p{L}\p{N}]/u.test(text)) return 'empty';
  if (text.length > maxCharacters) return 'too_long';
  if (!text.isWellFormed() || unwanted.test(text)) return 'malformed';
  if (questions !== 'any' && countQuestions(text, language, questions) !== questions) return 'questions';
  const items = [...(rubric ? Object.values(rubric).flat() : []), ...(expectations ? [expectations] : [])];
  if (items.some((item) => repeats(text, item))) return 'rubric';
  if (role && (leavesRole(text, language, role.own) || copies(text, role.prompt))) return 'role';
  // If the whole text appears in the answer, the candidate dictated it. A follow-up may quote a few of these words.
  if (questions !== 0 && wordsOf(answer).includes(` ${wordsOf(text).trim()} `)) return 'answer';
  return isIn(text, language) ? null : 'language';
}

/** Matches line breaks, control characters, invisible characters, addresses and markup, which must not be spoken. */
const unwanted =
  /[\p{Cc}\p{Co}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff<>{}[\]`|]|https?:|www\.|@/iu;

const questionMarks = /[?？؟;\u037e]+/gu;
const greekMark = /[;\u037e]/u;

/**
 * Counts the question marks in a text. A semicolon counts only in Greek. Without a question mark, a text in a language that
 * writes none counts as having the wanted number of questions.
 */
function countQuestions(text: string, language: LanguageCode, wanted: number): number {
  const marks = (text.match(questionMarks) ?? []).filter(
    (mark) => language === 'el' || !greekMark.test(mark),
  ).length;
  return marks === 0 && languages[language].isUnmarked ? wanted : marks;
}

/** Matches what follows the first 30 marks of a letter. Sorting them, as NFKC does, takes quadratic time. */
const excessiveMarks = /(?<=\p{M}{30})\p{M}+/gu;

/** An answer has 20,000 characters at most. NFKC makes 18 of some, whose words need not all be compared. */
const maxComparedCharacters = 40_000;

const wordsOf = (text: string): string =>
  ` ${text
    .replaceAll(excessiveMarks, '')
    .normalize('NFKC')
    .slice(0, maxComparedCharacters)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()} `;

/** Items with fewer characters are not checked, because they are common words that a question may contain. */
const minItemCharacters = 8;
/** A text that repeats this many consecutive words of an item counts as a copy of the item. */
const copiedWords = 6;

/** Returns true if the text contains the whole item or `copiedWords` consecutive words of it. */
const repeats = (text: string, item: string): boolean =>
  wordsOf(item).trim().length >= minItemCharacters &&
  (wordsOf(text).includes(wordsOf(item).trim()) || copies(text, item));

function copies(text: string, source: string): boolean {
  const given = wordsOf(text);
  const words = wordsOf(source).trim().split(' ');
  return words.some(
    (_word, start) =>
      start + copiedWords <= words.length &&
      given.includes(` ${words.slice(start, start + copiedWords).join(' ')} `),
  );
}

/**
 * Matches capitalized words inside a sentence, which are mostly names. In German, all nouns match, but the remaining
 * words are enough to detect the language.
 */
const names = /(?<=\S\s+)\p{Lu}[\p{L}\p{M}\p{N}'’-]*/gu;

/**
 * Returns true if the language is the detector's first guess, or nearly as likely as that guess, for the text with or
 * without its names. If the detector has no guess, the text is accepted.
 */
const isIn = (text: string, language: LanguageCode): boolean =>
  isLikely(text, language) || isLikely(text.replaceAll(names, ' '), language);

function isLikely(text: string, language: LanguageCode): boolean {
  const guesses = detectAll(text);
  const [best] = guesses;
  const codes = new Set([isoCodeOf(language), ...(languages[language].similar ?? [])]);
  return !best || guesses.some(({ lang, accuracy }) => codes.has(lang) && accuracy >= best.accuracy * 0.9);
}
