/**
 * Replaces characters that look alike with a single form: full-width characters, digits of any script, dashes, and
 * blanks except line breaks. Removes invisible characters.
 */
export function toPlain(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?!\s)\p{Cc}/gu, '')
    .replaceAll(/\p{Nd}/gu, toAsciiDigit)
    .replaceAll(/[^\S\n]/g, ' ')
    .replaceAll(/[\p{Pd}\u2212]/gu, '-')
    .replaceAll('\u3002', '.');
}

/**
 * Converts a digit of any script to an ASCII digit. Unicode lists the digits of a script from 0 to 9, so the value is
 * the number of digits directly before this one.
 */
function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}
