import { languageTexts } from '../../api/platform/text/language-texts';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { foldText } from './fold';
import { removeHiddenCharacters, replaceLookAlikes } from './look-alikes';
import { isUnspaced } from './words';

const patterns = new Map<LanguageCode, RegExp>();

/** Vowel marks and the stretching mark of Arabic, which writers add or leave out as they like. */
const arabicMarks = /[\u0640\u064b-\u065f\u0670]/gu;
/** Arabic writes "and", "so", "with" and "for" as the beginning of the next word. */
const arabicPrefixes = '[وفبل]{0,2}';

const comparable = (text: string): string => foldText(text).replaceAll(arabicMarks, '');

/** Returns the forms of an entry. In Arabic, "for" and the article together are written as `لل`. */
const formsOf = (word: string): string[] => (word.startsWith('ال') ? [word, `لل${word.slice(2)}`] : [word]);

/**
 * Returns a pattern for comparable text that matches words about age, health, origin, gender, family, religion, accent and
 * looks, and words that recommend to hire or to reject. A word in `left_out_words` that ends with `*` also matches
 * longer words that begin with it. Words of scripts without spaces match anywhere.
 */
function patternOf(language: LanguageCode): RegExp {
  const known = patterns.get(language);
  if (known) return known;
  const entries = languageTexts[language].left_out_words.split(', ');
  const wordsOf = (wanted: (entry: string) => boolean): string =>
    entries
      .filter(wanted)
      .flatMap((entry) => formsOf(comparable(entry.replace('*', ''))))
      .join('|');
  const whole = wordsOf((entry) => !entry.endsWith('*'));
  const beginnings = wordsOf((entry) => entry.endsWith('*'));
  const letter = String.raw`[\p{L}\p{M}\p{N}]`;
  const pattern = new RegExp(
    isUnspaced(whole)
      ? whole
      : `(?<!${letter})${language === 'ar' ? arabicPrefixes : ''}(?:(?:${whole || '(?!)'})(?!${letter})|${beginnings || '(?!)'})`,
    'gu',
  );
  patterns.set(language, pattern);
  return pattern;
}

/** Longer texts are left out, so that reading them takes little time. */
const maxCharacters = 2_000;
/** Matches addresses, with and without a scheme, links in Markdown, and HTML tags. Node.js/Express is no address. */
const markup = /:\/\/|https?:|mailto:|javascript:\S|www\.|\]\(|\w\.(?!(?:js|ts)\/)[a-z]{2,}\/|<[/!]?\p{L}/iu;

const things = String.raw`(?:products|tools|services|libraries|functions|models|protocols|pull requests?|merge requests?|requests?|promises?|caches?|files?|records?|messages?|inputs?|tokens?|data|entr(?:y|ies)|logs?|backups?|tickets?|builds?|rows?|events?|nodes?|elements?|components?)`;
/** English phrases about things that have a word of the list. */
const harmless = new RegExp(
  String.raw`\b(?:(?:(?:family|families|age|children) of|reject(?:s|ed|ing)?) (?:the |each |every |all |these |those |our |its |an? |\d+ )?(?:open |invalid |malformed |bad |old )?${things}|hiring (?:pipeline|process|platform|system|page|form|service)|children (?:props?|array))\b`,
  'gu',
);

/**
 * Returns the words of a text that are in the lists of the language and of English, as candidates may answer in English, also
 * if they are written with look-alike letters.
 */
export function findListedWords(text: string, language: LanguageCode): string[] {
  const plain = comparable(text);
  return [plain, replaceLookAlikes(plain)].flatMap((form) => {
    const searched = form.replaceAll(harmless, ' ');
    return [language, 'en' as const].flatMap((one) => searched.match(patternOf(one)) ?? []);
  });
}

/**
 * Returns true if no summary may contain what a candidate said, because it has a word about the person instead of the work, is
 * very long, or contains an address or HTML. `subjects` are the listed words of the employer's own texts: where these
 * ask about the health of a patient, a quote with this word is about the work. Another form of a word begins with the same
 * letters. The lists are not complete, and some harmless quotes are left out too: they stay visible as evidence.
 */
export function isUnfitForSummary(
  text: string,
  language: LanguageCode,
  subjects: readonly string[] = [],
): boolean {
  if (text.length > maxCharacters) return true;
  const known = new Set(subjects.map(beginningOf));
  const plain = comparable(text);
  return (
    [plain, replaceLookAlikes(plain)].some((form) => markup.test(form)) ||
    findListedWords(text, language).some((word) => !known.has(beginningOf(word)))
  );
}
const beginningOf = (word: string): string => word.slice(0, 3);

/** Returns a criterion or a quote as part of a sentence: on one line, without invisible characters and a mark at the end. */
export const toSentencePart = (text: string): string =>
  removeHiddenCharacters(text)
    .replaceAll(/\s+/gu, ' ')
    .replace(/[\s.。।;:,]+$/u, '')
    .trim();
