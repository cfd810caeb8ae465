import type { LanguageCode } from '../../db/platform/vocabulary';
import { languageTexts } from '../platform/text/language-texts';
import type { LanguageTexts } from '../platform/text/language-texts';
import { textReader } from '../platform/text/text-reader';

export type TakingText = keyof LanguageTexts['candidate_pages'];
/** Returns a text of the candidate's pages, by its name, in one language. */
export type TakingTexts = ReturnType<typeof takingTexts>;

/** Returns the texts of the candidate's pages in this language. */
export const takingTexts = (language: LanguageCode) =>
  textReader(languageTexts[language].candidate_pages, language);
