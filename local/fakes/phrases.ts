import type { Phrases } from './phrases-type';
import { german } from './phrases-de';
import { english } from './phrases-en';
import { spanish } from './phrases-es';
import { french } from './phrases-fr';
import { italian } from './phrases-it';
import { dutch } from './phrases-nl';
import { polish } from './phrases-pl';
import { portuguese } from './phrases-pt';

const tables: Partial<Record<string, Phrases>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  nl: dutch,
  pt: portuguese,
  br: portuguese,
  pl: polish,
};

/**
 * Returns the sentences of a language. If there are none, returns the English ones and a mark with the requested language.
 */
export function findPhrases({ code, name }: { code: string; name: string }): {
  phrases: Phrases;
  mark: string;
} {
  const table = tables[code.toLowerCase()];
  return table ? { phrases: table, mark: '' } : { phrases: english, mark: `[${name}] ` };
}
