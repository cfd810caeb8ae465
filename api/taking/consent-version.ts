/**
 * The version of the text to which candidates consent, which is also the name of its file. A changed text is a new file
 * with a new version: the version is stored with every attempt.
 */
export const currentConsentVersion = '2026-11-23';
