import { languageTexts } from '../../api/platform/text/language-texts';
import type { LanguageTexts } from '../../api/platform/text/language-texts';
import { textReader } from '../../api/platform/text/text-reader';
import type { LanguageCode } from '../../db/platform/vocabulary';

export type TextKey = keyof LanguageTexts['pdf'];

/** Reads the texts of a result's PDF in one language. */
export type ResultTexts = ReturnType<typeof resultTexts>;

/** Returns the texts of the PDF in this language. */
export const resultTexts = (language: LanguageCode) => textReader(languageTexts[language].pdf, language);
