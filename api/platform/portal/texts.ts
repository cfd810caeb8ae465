import { textReader } from '../text/text-reader';
import type { LanguageCode } from '../../../db/platform/vocabulary';
import shortTexts from './short-texts.json';

/** The texts of the portal's pages, in the language of the interview or the invitation. */
export const portalTexts = (language: LanguageCode) => textReader(shortTexts, language);
