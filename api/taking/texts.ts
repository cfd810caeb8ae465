import path from 'node:path';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { readTextTable } from '../platform/text/read-text-table';
import { textReader } from '../platform/text/text-reader';
import type en from './texts/en.json';

export type TakingText = keyof typeof en;
/** Returns a text of the candidate's pages, by its name, in one language. */
export type TakingTexts = ReturnType<typeof takingTexts>;

/** The texts of the candidate's pages in every language. */
export const takingTextTable = readTextTable<TakingText>(path.join(__dirname, 'texts'));

/** Returns the texts of the candidate's pages in this language. */
export const takingTexts = (language: LanguageCode) => textReader(takingTextTable, language);
