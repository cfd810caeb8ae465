import { toPlain } from './plain-text';

/** What a public text must not contain, in words that complete "must not contain …". */
export type PersonalData = 'an e-mail address' | 'a phone number' | 'the name of your company';

/**
 * Returns the first personal data found in a text. Phone numbers are recognized by their form, so any number of that
 * form counts as one (docs/support.md#texts).
 */
export function personalDataIn(text: string, companyNames: readonly string[]): PersonalData | undefined {
  const plain = toPlain(text);
  if (emailAddress.test(plain.replaceAll(spokenDot, '.'))) return 'an e-mail address';
  if (hasPhoneNumber(plain)) return 'a phone number';
  return companyNames.some((name) => isNamed(plain, name)) ? 'the name of your company' : undefined;
}

const label = String.raw`[\p{L}\p{M}\p{N}\p{So}](?:[\p{L}\p{M}\p{N}\p{So}-]{0,61}[\p{L}\p{M}\p{N}\p{So}])?`;
/**
 * A name, an @ (or "(at)") and a domain that ends in letters of any script; this excludes `package@1.2.3`, `@media`
 * and `@someone`. A domain may also be an address in brackets.
 */
const emailAddress = new RegExp(
  String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_{|}~".-](?:@| ?[([]at[)\]] ?)(?!v?\d+\.\d+[.-])(?:(?:${label}\.)+(?:xn--[a-z0-9-]{2,}|(?=[\p{L}\p{M}]{2})[\p{L}\p{M}]+)(?![\p{L}\p{N}])|\[(?:IPv6:)?[\da-f.:]{3,45}\])`,
  'iu',
);

/** Matches spellings like "bob [at] example [dot] com". */
const spokenDot = / ?[([]dot[)\]] ?/gi;

/** Digits in groups. Two digits may be separated by a blank, dot, slash or dash, or by brackets around a group. */
const grouped = /(?:[+(]{1,2} ?)?\d(?:[ ./()-]{0,3}\d){6,}/g;
const date = /(?<!\d[./-]?)(?:\d{4}([./-])\d{1,2}\1\d{1,2}|\d{1,2}([./-])\d{1,2}\2\d{4})(?![./-]?\d)/g;
/** A date with blanks. Its values for year, month and day distinguish it from the groups of a number. */
const dateWithBlanks = /(?<!\d ?)(?:19|20)\d\d (?:0[1-9]|1[0-2]) (?:0[1-9]|[12]\d|3[01])(?! ?\d)/g;
/**
 * Numbers without a country code: North America, mobiles of India and China, and Spain and countries with similar
 * numbers.
 */
const national = [
  /^(?:1[ .-]?)?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}$/,
  /^[6-9]\d{4}[ -]\d{5}$/,
  /^1[3-9]\d[ -]\d{4}[ -]\d{4}$/,
  /^[67]\d\d(?: \d\d){3}$/,
];
const round = /^\+?\d{1,4}0{5,}$/;
const resolution = /^\d{3}0 \d{2,3}0$/;
const announced =
  /(?:\b(?:tel|phone|telephone|mobile|cell|call|fax|whatsapp|telefon|telefono|telefoon|gsm|mobil)\b|[☎☏✆📞📱])[^\p{L}\d\n]{0,6}(?:(?:me|us|no|nr|number|is|on|at)\b[^\p{L}\d\n]{0,3}){0,2}$/iu;

function hasPhoneNumber(plain: string): boolean {
  const text = [date, dateWithBlanks].reduce(
    (left, pattern) => left.replaceAll(pattern, (found) => 'd'.repeat(found.length)),
    plain,
  );
  for (const { 0: found, index } of text.matchAll(grouped)) {
    const before = text.slice(0, index);
    const after = text.slice(index + found.length);
    // A match is not a phone number if it is part of a word, an id, a decimal, an address or an amount, or if the
    // text calls it the number of something.
    if (
      /[\p{L}\p{N}_.,:=/-]$|[#$€£] ?$|\b(?:order|ticket|invoice|case|article|item|reference|id) ?$/iu.test(
        before,
      ) &&
      !/(?:\b(?:tel|phone|whatsapp):|wa\.me\/)$/i.test(before)
    )
      continue;
    if (/^[\p{L}_]|^-[\p{L}\p{N}]/u.test(after)) continue;
    if (isPhoneNumber(found, announced.test(before))) return true;
  }
  return false;
}

function isPhoneNumber(written: string, isAnnounced: boolean): boolean {
  const digits = written.replaceAll(/\D/g, '');
  const bare = written.replaceAll(/^[(+ ]+/g, '');
  if (round.test(written) || resolution.test(written)) return false;
  // E.164 allows 15 digits with the country code. The shortest numbers in use have 8.
  if (written.includes('+')) return digits.length >= 8 && digits.length <= 16;
  if (/^00[1-9]/.test(digits)) return digits.length >= 11 && digits.length <= 17;
  // A trunk prefix 0 and the subscriber number. A decimal begins with "0.".
  if (/^0[ )/-]{0,2}[1-9]/.test(bare)) return digits.length >= 9 && digits.length <= 12;
  if (national.some((form) => form.test(written))) return true;
  return isAnnounced && digits.length <= 15;
}

const legalForms =
  /(?:[\s,&]+(?:ab|ag|b\.?v|co|corp|gmbh|inc|kg|limited|llc|ltd|n\.?v|oy|plc|s\.?a|s\.?r\.?l)\.?)+$/i;
/** In these scripts a name stands between other words without blanks. */
const withoutBlanks = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * Returns true if a text has the name as whole words, without its legal form. Accents do not matter. The case matters only
 * for a name of one word, which may be an everyday word.
 */
function isNamed(plain: string, companyName: string): boolean {
  const [text, name] = [plain, toPlain(companyName).trim().replace(legalForms, '')].map((each) =>
    each.normalize('NFD').replaceAll(/\p{M}/gu, ''),
  ) as [string, string];
  if (withoutBlanks.test(name)) return text.includes(name);
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length === 0 || !/\p{L}/u.test(name)) return false;
  const phrase = words.join(String.raw`[^\p{L}\p{N}]+`);
  const form = words.length > 1 ? phrase : `(?:${phrase}|${phrase.toUpperCase()})`;
  return new RegExp(
    String.raw`(?<![\p{L}\p{N}])${form}s?(?![\p{L}\p{N}])`,
    words.length > 1 ? 'iu' : 'u',
  ).test(text);
}
