import path from 'node:path';
import type { LanguageCode } from '../../../db/platform/vocabulary';
import type en from './languages/en.json';
import { readTextTable } from './read-text-table';

/**
 * All texts of the platform in one language, by the place where they are shown. Every language has all of them.
 * `practice` has the texts that replace those of the same name for learners.
 */
export type LanguageTexts = typeof en;

/**
 * The texts of `languages/<code>.json` in every language. `left_out_words` are the words that make a sentence
 * unusable as a quote (docs/scoring.md), separated by commas. `pause_words` are in small letters: words after which people
 * go on although a transcript may end with a full stop (`open`), and phrases with which they ask for time to think (`moment`),
 * separated by `|`. `role_signs` are described in activities/taking/role-signs.ts.
 */
export const languageTexts = readTextTable<LanguageTexts>(path.join(__dirname, 'languages'));

/** Returns texts as learners read them if `isPractice` is true, and otherwise unchanged. */
export const forPractice = <Texts extends object>(
  texts: Texts,
  language: LanguageCode,
  isPractice: boolean,
): Texts => (isPractice ? { ...texts, ...languageTexts[language].practice } : texts);

/** The words for the brackets of scores in every language. */
export const bracketTexts = Object.fromEntries(
  Object.entries(languageTexts).map(([code, { brackets }]) => [code, brackets]),
) as Record<LanguageCode, LanguageTexts['brackets']>;
