import type { LanguageCode } from '../../db/platform/vocabulary';
import { forPractice, languageTexts } from '../platform/text/language-texts';
import type { LanguageTexts } from '../platform/text/language-texts';
import { textReader } from '../platform/text/text-reader';

export type TakingText = keyof LanguageTexts['candidate_pages'];
/** Returns a text of the candidate's pages, by its name, in one language. */
export type TakingTexts = ReturnType<typeof takingTexts>;

/** Returns the candidate's pages' texts in this language, by name. Learners read other texts about the purpose. */
export const takingTextTable = (language: LanguageCode, isPractice: boolean) =>
  forPractice(languageTexts[language].candidate_pages, language, isPractice);

/** Returns a function that reads the texts of the candidate's pages in this language. */
export const takingTexts = (language: LanguageCode, isPractice = false) =>
  textReader(takingTextTable(language, isPractice), language);
