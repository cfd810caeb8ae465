import { fillText } from '../contracts/html';
import type { LanguageCode } from '../contracts/vocabulary';
import table from './short-texts.json';

export type TextKey = keyof (typeof table)['en'];

/** The portal's short texts in a language, with their places filled. */
export const textsOf =
  (language: LanguageCode) =>
  (key: TextKey, values: Record<string, string>): string =>
    fillText(table[language][key], values);
