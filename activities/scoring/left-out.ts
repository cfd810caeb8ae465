import type { LanguageCode } from '../../db/platform/vocabulary';
import { foldText } from './fold';
import leftOutWords from './left-out-words.json';
import { withoutHidden } from './look-alikes';
import { isUnspaced } from './words';

const patterns = new Map<LanguageCode, RegExp>();

/**
 * Returns a pattern for folded text that matches words about age, health, origin, gender, family, religion, accent and
 * looks, and words that recommend to hire or to reject. A word in left-out-words.json that ends with `*` also matches
 * longer words that begin with it. Words of scripts without spaces match anywhere.
 */
function patternOf(language: LanguageCode): RegExp {
  const known = patterns.get(language);
  if (known) return known;
  const entries = leftOutWords[language].split(', ');
  const wordsOf = (wanted: (entry: string) => boolean): string =>
    entries
      .filter(wanted)
      .map((entry) => foldText(entry.replace('*', '')))
      .join('|');
  const whole = wordsOf((entry) => !entry.endsWith('*'));
  const beginnings = wordsOf((entry) => entry.endsWith('*'));
  const letter = String.raw`[\p{L}\p{M}\p{N}]`;
  const pattern = new RegExp(
    isUnspaced(whole)
      ? whole
      : `(?<!${letter})(?:(?:${whole || '(?!)'})(?!${letter})|${beginnings || '(?!)'})`,
    'u',
  );
  patterns.set(language, pattern);
  return pattern;
}

/** Longer texts are left out, so that reading them takes little time. */
const maxCharacters = 2_000;
/** Matches addresses and HTML tags. */
const markup = /https?:|www\.|<[/!]?\p{L}/iu;

/**
 * Returns true if no summary may contain a text, because it seems to be about the person instead of the work, is very long, or
 * contains an address or HTML. The words of the language and of English are searched, as candidates may answer in English.
 * Harmless texts with such words are left out too: they stay visible as criteria and evidence.
 */
export function isLeftOut(text: string, language: LanguageCode): boolean {
  if (text.length > maxCharacters) return true;
  const folded = foldText(text);
  return markup.test(folded) || patternOf(language).test(folded) || patternOf('en').test(folded);
}

/** Returns a criterion or a quote as part of a sentence: on one line, without invisible characters and a mark at the end. */
export const partOfSentence = (text: string): string =>
  withoutHidden(text)
    .replaceAll(/\s+/gu, ' ')
    .replace(/[\s.。।;:,]+$/u, '')
    .trim();
