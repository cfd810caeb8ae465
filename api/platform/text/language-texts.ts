import path from 'node:path';
import type { LanguageCode } from '../../../db/platform/vocabulary';
import type en from './languages/en.json';
import { readTextTable } from './read-text-table';

/** All texts of the platform in one language, by the place where they are shown. Every language has all of them. */
export type LanguageTexts = typeof en;

/**
 * The texts of `languages/<code>.json` in every language. `left_out_words` are the words that make a sentence
 * unusable as a quote (docs/scoring.md), separated by commas.
 */
export const languageTexts = readTextTable<LanguageTexts>(path.join(__dirname, 'languages'));

/** The words for the brackets of scores in every language. */
export const bracketTexts = Object.fromEntries(
  Object.entries(languageTexts).map(([code, { brackets }]) => [code, brackets]),
) as Record<LanguageCode, LanguageTexts['brackets']>;
