import type { Request } from 'express';
import { htmlLanguage } from '../text/html';
import { languageCodes } from '../../../db/platform/vocabulary';
import type { LanguageCode } from '../../../db/platform/vocabulary';

/** Tags that browsers send, English first: it is for who takes any. Norwegian goes by the tags of its two standards. */
const codeByTag = new Map<string, LanguageCode>([
  ['en', 'en'],
  ...languageCodes.map((code): [string, LanguageCode] => [htmlLanguage(code).lang, code]),
  ['nb', 'no'],
  ['nn', 'no'],
]);
const tags = [...codeByTag.keys()];

/** The language that the browser asks for; English where we do not have it. */
export function browserLanguage(request: Request): LanguageCode {
  const tag = request.acceptsLanguages(tags);
  return (tag ? codeByTag.get(tag) : undefined) ?? 'en';
}
