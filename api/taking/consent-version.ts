/**
 * The version of the text to which candidates consent. It is also the name of the folder with the texts. A changed
 * text gets a new version in a new folder, because the version is stored with every attempt.
 */
export const currentConsentVersion = '2026-11-29';
