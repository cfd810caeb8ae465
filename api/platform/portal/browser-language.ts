import type { Request } from 'express';
import { languageCodes } from '../../../db/platform/vocabulary';
import type { LanguageCode } from '../../../db/platform/vocabulary';
import { htmlLanguage } from '../text/html';

/**
 * Maps each language tag that browsers send to a language of the portal. English comes first, so that browsers that
 * accept any language get English. Norwegian also has the tags of its two written standards.
 */
const codeByTag = new Map<string, LanguageCode>([
  ['en', 'en'],
  ...languageCodes.map((code): [string, LanguageCode] => [htmlLanguage(code).lang, code]),
  ['nb', 'no'],
  ['nn', 'no'],
]);
const tags = [...codeByTag.keys()];
/**
 * Browsers send an `Accept-Language` header of up to 200 characters. Choosing a language from a header of 64 KiB took
 * 200 ms.
 */
const maxHeaderLength = 500;

/**
 * Returns the language that the browser prefers, or English if the portal has no texts in that language or the header is
 * longer than any browser's.
 */
export function browserLanguage(request: Request): LanguageCode {
  if ((request.headers['accept-language']?.length ?? 0) > maxHeaderLength) return 'en';
  const tag = request.acceptsLanguages(tags);
  return (tag ? codeByTag.get(tag) : undefined) ?? 'en';
}
