import path from 'node:path';
import { readTextTable } from '../../api/platform/text/read-text-table';
import { textReader } from '../../api/platform/text/text-reader';
import type { LanguageCode } from '../../db/platform/vocabulary';
import type en from './texts/en.json';

export type TextKey = keyof typeof en;

/** Reads the texts of a result's PDF in one language. */
export type ResultTexts = ReturnType<typeof resultTexts>;

/** The texts of the PDF in every language. */
export const resultTextTable = readTextTable<TextKey>(path.join(__dirname, 'texts'));

/** Returns the texts of the PDF in this language. */
export const resultTexts = (language: LanguageCode) => textReader(resultTextTable, language);
