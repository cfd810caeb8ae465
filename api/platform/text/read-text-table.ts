import { readFileSync } from 'node:fs';
import path from 'node:path';
import { languageCodes } from '../../../db/platform/vocabulary';
import type { LanguageCode } from '../../../db/platform/vocabulary';

/**
 * Reads a table of texts from a folder with one JSON file for each language, such as `de.json`. Throws if a language
 * has no file.
 */
export const readTextTable = <Texts>(folder: string): Record<LanguageCode, Texts> =>
  Object.fromEntries(
    languageCodes.map((code) => [code, JSON.parse(readFileSync(path.join(folder, `${code}.json`), 'utf8'))]),
  ) as Record<LanguageCode, Texts>;
