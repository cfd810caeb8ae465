import { languageCodes } from '../../db/platform/vocabulary';
import type { LanguageCode } from '../../db/platform/vocabulary';
import ar from './consent/2026-11-23/ar.json';
import br from './consent/2026-11-23/br.json';
import de from './consent/2026-11-23/de.json';
import en from './consent/2026-11-23/en.json';

/** What a candidate consents to, and the label of the box to tick. */
type ConsentText = typeof en;

/**
 * The texts of the current version (consent-version.ts). They are never edited, because the version is stored with every
 * attempt: a changed text is a file of a new version.
 */
const consentTexts: Partial<Record<LanguageCode, ConsentText>> = { ar, br, de, en };

/** The languages that have a consent text. */
export const consentLanguages = languageCodes.filter((code) => consentTexts[code]);

/** Returns the consent text in this language, or in English. */
export const consentText = (language: LanguageCode): ConsentText => consentTexts[language] ?? en;
