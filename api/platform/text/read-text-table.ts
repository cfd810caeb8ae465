import { readFileSync } from 'node:fs';
import path from 'node:path';
import { languageCodes } from '../../../db/platform/vocabulary';
import type { TextTable } from './text-reader';

/**
 * Reads a table of texts from a folder with one JSON file for each language, such as `de.json`. Throws if a language
 * has no file.
 */
export const readTextTable = <Key extends string>(folder: string): TextTable<Key> =>
  Object.fromEntries(
    languageCodes.map((code) => [code, JSON.parse(readFileSync(path.join(folder, `${code}.json`), 'utf8'))]),
  ) as TextTable<Key>;
