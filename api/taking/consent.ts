import path from 'node:path';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { readTextTable } from '../platform/text/read-text-table';
import { currentConsentVersion } from './consent-version';

/** `practice` is the text for learners. */
type ConsentTexts = Record<'text' | 'practice' | 'agree', string>;

/**
 * The texts of the current version (consent-version.ts): what a candidate consents to, and the label of the box to
 * tick. The texts are never edited, because the version is stored with every attempt. A changed text gets a new
 * version in a new folder.
 */
export const consentTexts = readTextTable<ConsentTexts>(
  path.join(__dirname, 'consent', currentConsentVersion),
);

/** Returns the consent text in this language, for learners if `isPractice` is true. */
export function consentText(language: LanguageCode, isPractice: boolean): { text: string; agree: string } {
  const { text, practice, agree } = consentTexts[language];
  return { text: isPractice ? practice : text, agree };
}
