import type { LanguageCode } from '../../../db/platform/vocabulary';
import { forPractice, languageTexts } from '../text/language-texts';
import { textReader } from '../text/text-reader';

/** Returns the texts of the portal's pages in this language, for learners if `isPractice` is true. */
export const portalTexts = (language: LanguageCode, isPractice = false) =>
  textReader(forPractice(languageTexts[language].portal, language, isPractice), language);
