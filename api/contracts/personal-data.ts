import { findCompanyName } from './company-name';
import { toPlain } from './plain-text';

/** What a public text must not hold, in words that end "must not contain …". */
export type PersonalData = 'an e-mail address' | 'a phone number' | 'the name of your company';

/**
 * The first of these that stands in a text. It goes by form: a number that nobody would write so is not found, and one that
 * is written as phone numbers are is taken for one (spec/decisions.md section 8).
 */
export function personalDataIn(text: string, companyName: string): PersonalData | undefined {
  const plain = toPlain(text);
  if (emailAddress.test(plain)) return 'an e-mail address';
  if (hasPhoneNumber(plain)) return 'a phone number';
  return findCompanyName(text, companyName) ? 'the name of your company' : undefined;
}

const label = String.raw`[\p{L}\p{M}\p{N}\p{So}](?:[\p{L}\p{M}\p{N}\p{So}-]{0,61}[\p{L}\p{M}\p{N}\p{So}])?`;
/**
 * A name, an @ (or "(at)") and a domain that ends in letters, of any script: not `package@1.2.3`, `@media` or `@someone`.
 * Also a domain that is an address, in brackets.
 */
const emailAddress = new RegExp(
  String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_{|}~".-](?:@| ?[([]at[)\]] ?)(?!v?\d+\.\d+[.-])(?:(?:${label}\.)+(?:xn--[a-z0-9-]{2,}|(?=[\p{L}\p{M}]{2})[\p{L}\p{M}]+)(?![\p{L}\p{N}])|\[(?:IPv6:)?[\da-f.:]{3,45}\])`,
  'iu',
);

/** Digits in groups: between two of them a blank, dot, slash, dash, or brackets around one. */
const grouped = /(?:[+(]{1,2} ?)?\d(?:[ ./()-]{0,3}\d){6,}/g;
const date = /(?<!\d[./-]?)(?:\d{4}([./-])\d{1,2}\1\d{1,2}|\d{1,2}([./-])\d{1,2}\2\d{4})(?![./-]?\d)/g;
const northAmerican = /^(?:1[ .-]?)?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}$/;
const announced =
  /(?:\b(?:tel|phone|telephone|mobile|cell|call|fax|whatsapp|telefon|telefono|telefoon|gsm|mobil)\b|[☎☏✆📞📱])[^\p{L}\d\n]{0,6}(?:(?:me|us|no|nr|number|is|on|at)\b[^\p{L}\d\n]{0,3}){0,2}$/iu;

function hasPhoneNumber(plain: string): boolean {
  const text = plain.replaceAll(date, (found) => 'd'.repeat(found.length));
  for (const { 0: found, index } of text.matchAll(grouped)) {
    const before = text.slice(0, index);
    const after = text.slice(index + found.length);
    // Part of a word, an id, a decimal, an address or a sum is none.
    if (
      /[\p{L}\p{N}_.,:=/-]$|[#$€£] ?$/u.test(before) &&
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
  // E.164: 15 digits with the country's, and the shortest in use have 8.
  if (written.includes('+')) return digits.length >= 8 && digits.length <= 16;
  if (/^00[1-9]/.test(digits)) return digits.length >= 11 && digits.length <= 17;
  // A trunk's 0 and the subscriber's number; a decimal begins "0.".
  if (/^0[ )/-]{0,2}[1-9]/.test(bare)) return digits.length >= 9 && digits.length <= 12;
  if (northAmerican.test(written)) return true;
  return isAnnounced && digits.length <= 15;
}
