/* Exports that other domains may use. */
export type { Attempt } from './attempt-fields';
export { privacyPath } from './pages/privacy-page';
export { recordedThings } from './recorded-things';
export { takingTexts } from './texts';
