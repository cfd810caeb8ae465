import { toPlain } from './plain-text';

/**
 * The kinds of personal data that a public text must not contain, worded to complete the sentence "must not contain …".
 */
type PersonalData = 'an email address' | 'a phone number' | 'the name of your company';

/**
 * Returns the first kind of personal data that a text contains. Phone numbers are recognized only by their form, so
 * another number of the same form is also reported (docs/support.md#texts).
 */
export function findPersonalData(text: string, companyNames: readonly string[]): PersonalData | undefined {
  const plain = toPlain(text);
  if (emailAddress.test(plain.replaceAll(spokenDot, '.'))) return 'an email address';
  if (hasPhoneNumber(plain)) return 'a phone number';
  return companyNames.some((name) => isNamed(plain, name)) ? 'the name of your company' : undefined;
}

const label = String.raw`[\p{L}\p{M}\p{N}\p{So}](?:[\p{L}\p{M}\p{N}\p{So}-]{0,61}[\p{L}\p{M}\p{N}\p{So}])?`;
/**
 * Matches a name, an @ (or "(at)") and a domain. The domain must end in letters of any script, which excludes
 * `package@1.2.3`, `@media` and `@someone`, or be an address in brackets.
 */
const emailAddress = new RegExp(
  String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_{|}~".-](?:@| ?[([]at[)\]] ?)(?!v?\d+\.\d+[.-])(?:(?:${label}\.)+(?:xn--[a-z0-9-]{2,}|(?=[\p{L}\p{M}]{2})[\p{L}\p{M}]+)(?![\p{L}\p{N}])|\[(?:IPv6:)?[\da-f.:]{3,45}\])`,
  'iu',
);

/** Matches the dot in spellings like "bob [at] example [dot] com". */
const spokenDot = / ?[([]dot[)\]] ?/gi;

/**
 * Matches at least seven digits in groups. Between two digits there may be a blank, dot, slash or dash, or brackets
 * around a group.
 */
const grouped = /(?:[+(]{1,2} ?)?\d(?:[ ./()-]{0,3}\d){6,}/g;
const date = /(?<!\d[./-]?)(?:\d{4}([./-])\d{1,2}\1\d{1,2}|\d{1,2}([./-])\d{1,2}\2\d{4})(?![./-]?\d)/g;
/**
 * Matches a date with blanks. A date differs from the groups of a phone number by its values for year, month and day.
 */
const dateWithBlanks = /(?<!\d ?)(?:19|20)\d\d (?:0[1-9]|1[0-2]) (?:0[1-9]|[12]\d|3[01])(?! ?\d)/g;
/**
 * Phone numbers without a country code: of North America, of mobiles in India and China, and of Spain and countries
 * with similar numbers.
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
    // Skips a match that is part of a word, an id, a decimal, an address or an amount, or that follows a word such as
    // "order" or "ticket".
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
  // E.164 allows 15 digits including the country code. The shortest phone numbers in use have 8 digits.
  if (written.includes('+')) return digits.length >= 8 && digits.length <= 16;
  if (/^00[1-9]/.test(digits)) return digits.length >= 11 && digits.length <= 17;
  // Here the number begins with the trunk prefix 0, followed by the subscriber number. A decimal would begin with "0.".
  if (/^0[ )/-]{0,2}[1-9]/.test(bare)) return digits.length >= 9 && digits.length <= 12;
  if (national.some((form) => form.test(written))) return true;
  return isAnnounced && digits.length <= 15;
}

const legalForms =
  /(?:[\s,&]+(?:ab|ag|b\.?v|co|corp|gmbh|inc|kg|limited|llc|ltd|n\.?v|oy|plc|s\.?a|s\.?r\.?l)\.?)+$/i;
/** In these scripts, there are no blanks between a name and the words around it. */
const withoutBlanks = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * Returns true if a text contains the name as whole words. The legal form in the name and all accents are ignored. Case
 * matters only for a name of one word, which may also be an everyday word.
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
