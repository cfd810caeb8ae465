import type { LanguageCode } from '../../../db/platform/vocabulary';
import { textReader } from '../text/text-reader';
import shortTexts from './short-texts.json';

/** Returns the texts of the portal's pages in this language. */
export const portalTexts = (language: LanguageCode) => textReader(shortTexts, language);
