import { languageTexts } from '../../api/platform/text/language-texts';
import { languages } from '../../db/platform/vocabulary';
import type { LanguageCode } from '../../db/platform/vocabulary';

/**
 * The words of section `role_signs` of a language, as alternatives of an expression. `~` stands for any ending of a word, and
 * `#` for a number in digits or `numbers`. All are in lower case.
 */
type Words = {
  numbers: string;
  /** Numbers of 20 and more in words, with their compounds. */
  large: string;
  /** What is said behind the stage: of the AI, its prompt, the rubric, scores, the role-play itself. */
  stage: string;
  /** What praises or corrects an answer. */
  verdict: string;
  /** Words that praise, and `mild` ones that praise only with another word: "very good", not "good". */
  praise: string;
  mild: string;
  /** What praise can also consist of: "that was really", "your answer". */
  around: string;
  /** "I am", and what only a machine or an actor would say of itself. */
  i_am: string;
  machine: string;
  /** "This is", and what only somebody who practices would say of the conversation. */
  this_is: string;
  exercise: string;
};
type Signs = Record<
  'general' | 'praise' | 'mild' | 'around' | 'iAm' | 'machine' | 'thisIs' | 'exercise',
  RegExp
>;

const wordsOf = (code: LanguageCode): Words => languageTexts[code].role_signs;
const letter = String.raw`[\p{L}\p{M}\p{N}]`;
const word = new RegExp(letter, 'u');

/** Returns an expression that matches whole words, or also their parts in a language that joins them. */
function wholeWords(alternatives: string, code: LanguageCode): RegExp {
  const isJoined = languages[code].isJoined === true;
  const inside = alternatives
    .replaceAll(/(?<=^|[|:])~/gu, String.raw`\S{0,4}?`)
    .replaceAll('~', isJoined ? String.raw`\S*` : String.raw`\S*?`)
    .replaceAll('#', String.raw`(?:\d{1,3}|${wordsOf(code).numbers})`)
    // As lines are, because NFKC parts a Thai vowel, for example.
    .normalize('NFKC');
  return new RegExp(isJoined ? inside : `(?<!${letter})(?:${inside})(?!${letter})`, 'gu');
}

const known = new Map<LanguageCode, Signs>();
function signsOf(code: LanguageCode): Signs {
  const words = wordsOf(code);
  const whole = (alternatives: string): RegExp => wholeWords(alternatives, code);
  return {
    general: whole(`${words.stage}|${words.verdict}`),
    praise: whole(words.praise),
    mild: whole(words.mild),
    around: whole(words.around),
    iAm: whole(words.i_am),
    machine: whole(words.machine),
    thisIs: whole(words.this_is),
    exercise: whole(words.exercise),
  };
}

/** Names of AI and scores in any language, and English words of its makers and of trainers. Names have capital letters. */
const acronyms = new RegExp(
  String.raw`(?<!${letter})(?:AI|A\.I\.|IA|KI|YZ|ИИ|ШІ|LLM|(?:Chat)?GPT|\d+ ?/ ?(?:5|10|100))(?!${letter})`,
  'gu',
);
const jargon = new RegExp(
  String.raw`(?<!${letter})(?:language model|chat ?bots?|(?:system )?prompts?|rubrics?|feedback|role[- ]?play)(?!${letter})`,
  'giu',
);

/** Matches the clauses of a line, each with the marks that end it. */
const clauses = /([^.!?…,;:–—()"“”„«»।。！？、，；：؟،]+)([.!?…,;:–—()"“”„«»।。！？、，；：؟،]*)/gu;
const questionMark = /[?？؟]/u;
/** Vowel marks and the stretching mark of Arabic, which writers add or leave out as they like. */
const arabicMarks = /[\u0640\u064b-\u065f\u0670]/gu;

const normalized = (text: string): string =>
  text.normalize('NFKC').replaceAll(arabicMarks, '').replaceAll('’', "'").replaceAll(/\s+/gu, ' ');

/** Returns true if a clause has a word of praise, and nothing else than what belongs to it. */
function isPraise(clause: string, { praise, mild, around }: Signs): boolean {
  const rest = clause.replaceAll(praise, ' ');
  const [first] = rest.match(mild) ?? [];
  // "Good" alone says that somebody has heard.
  const isMild = first !== undefined && word.test(rest.replace(first, ' '));
  return (rest !== clause || isMild) && !word.test(rest.replaceAll(mild, ' ').replaceAll(around, ' '));
}

/**
 * Returns true if a line of a person whom the AI plays has a sign of leaving the role (docs/taking.md#role-plays). A
 * word that the employer's own texts contain (`own`) is no sign: a person can sell an AI, or ask for a rating.
 */
export function leavesRole(line: string, language: LanguageCode, own: readonly string[]): boolean {
  const signs = known.get(language) ?? signsOf(language);
  known.set(language, signs);
  // English has "prompt" as an adjective, too.
  const general = language === 'en' ? [signs.general] : [signs.general, jargon];
  const find = (text: string, patterns: readonly RegExp[]) =>
    patterns.flatMap((each) => text.match(each) ?? []);
  const given = new Set(
    own
      .map(normalized)
      .flatMap((text) => [
        ...find(text, [acronyms]),
        ...find(text.toLowerCase(), [...general, signs.machine, signs.exercise]),
      ]),
  );
  const isSign = (text: string, patterns: readonly RegExp[]): boolean =>
    find(text, patterns).some((sign) => !given.has(sign));
  const text = normalized(line);
  const lower = text.toLowerCase();
  return (
    isSign(text, [acronyms]) ||
    isSign(lower, general) ||
    Array.from(lower.matchAll(clauses)).some(
      ([, clause = '', end = '']) =>
        (!questionMark.test(end) && isPraise(clause, signs)) ||
        (find(clause, [signs.iAm]).length > 0 && isSign(clause, [signs.machine])) ||
        (find(clause, [signs.thisIs]).length > 0 && isSign(clause, [signs.exercise])),
    )
  );
}

/** Returns the numbers of 20 and more that a text has in words of the language. */
export const largeNumbers = (text: string, language: LanguageCode): string[] =>
  normalized(text)
    .toLowerCase()
    .match(wholeWords(wordsOf(language).large, language)) ?? [];
