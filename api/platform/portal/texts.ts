import type { LanguageCode } from '../../../db/platform/vocabulary';
import { languageTexts } from '../text/language-texts';
import { textReader } from '../text/text-reader';

/** Returns the texts of the portal's pages in this language. */
export const portalTexts = (language: LanguageCode) => textReader(languageTexts[language].portal, language);
