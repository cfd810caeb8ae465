import { textReader } from '../text/text-reader';
import type { LanguageCode } from '../../../db/platform/vocabulary';
import shortTexts from './short-texts.json';

/** What the portal's pages say, in the language of the interview or the invitation. */
export const portalTexts = (language: LanguageCode) => textReader(shortTexts, language);
