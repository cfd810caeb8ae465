import { languageCodes } from '../../db/platform/vocabulary';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { textReader } from '../platform/text/text-reader';
import type { TextTable } from '../platform/text/text-reader';
import ar from './texts/ar.json';
import br from './texts/br.json';
import de from './texts/de.json';
import en from './texts/en.json';

export type TakingText = keyof typeof en;
/** Reads the texts of the candidate's pages in one language. */
export type TakingTexts = ReturnType<typeof takingTexts>;

/** The texts of the languages that have them. */
export const textsByLanguage: Partial<Record<LanguageCode, Record<TakingText, string>>> = { ar, br, de, en };

const table = Object.fromEntries(
  languageCodes.map((code) => [code, textsByLanguage[code] ?? en]),
) as TextTable<TakingText>;

/** Returns the language of the candidate's pages: English if there are no texts in this language yet. */
export const shownLanguage = (language: LanguageCode): LanguageCode =>
  textsByLanguage[language] ? language : 'en';

/** Returns the texts of the candidate's pages in this language. */
export const takingTexts = (language: LanguageCode) => textReader(table, shownLanguage(language));
