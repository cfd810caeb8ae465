import type { LanguageCode } from '../../db/platform/vocabulary';

/** Words for numbers from ten up, as regular expressions for folded text (fold.ts). */
const sources: Partial<Record<LanguageCode, string>> = {
  en: '(?:ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|dozen|hundred|thousand|million|billion)s?',
  de: String.raw`elf|\p{L}*(?:zehn|zwölf|zwanzig|dreissig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig|dutzend|hundert|tausend|million|milliarde)\p{L}*`,
  es: String.raw`diez|once|doce|trece|catorce|quince|(?:dieci|veint)\p{L}+|treinta|(?:cuar|cincu|ses|set|och|nov)enta|docena|cien|\p{L}*cient[oa]s?|mil|miles|mill[oó]n|millones`,
  fr: 'dix|onze|douze|treize|quatorze|quinze|seize|vingts?|(?:tr|quar|cinqu|soix)[ae]nte|(?:sept|huit|non)ante|douzaine|cents?|mille|millions?|milliards?',
  tr: 'on|yirmi|otuz|kirk|elli|altmiş|yetmiş|seksen|doksan|yüz|yüzde|bin|milyon|milyar',
  ja: '[〇一二三四五六七八九十百千万億]{2,}|[一二三四五六七八九十](?:割|パーセント)',
};
const words = new Map(
  Object.entries(sources).map(([code, source]) => [
    code,
    // Japanese has no spaces, so a number can begin after any character.
    new RegExp(code === 'ja' ? source : String.raw`(?<![\p{L}\p{N}])(?:${source})(?![\p{L}\p{N}])`, 'gu'),
  ]),
);

/**
 * Returns the numbers in a folded text, as they are written: in digits or, in the languages above, in words from ten
 * up.
 */
export function numbersIn(folded: string, language: LanguageCode): string[] {
  const pattern = words.get(language);
  return [...(folded.match(/\p{N}+/gu) ?? []), ...((pattern && folded.match(pattern)) ?? [])];
}
