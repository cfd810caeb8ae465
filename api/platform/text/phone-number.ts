import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

const maxCharacters = 50;

/** In some countries, as in the USA, a number does not tell whether it is a mobile phone. Other types, such as premium rates, get no messages. */
const mobileTypes = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE']);

/** Returns a number in the form `+491701234567`, or null if the text is no valid mobile number with a country code. */
export function toPhoneNumber(text: string | null): string | null {
  if (text === null || text.length > maxCharacters) return null;
  const parsed = parsePhoneNumberFromString(text, { extract: false });
  return parsed && mobileTypes.has(parsed.getType() ?? '') ? parsed.number : null;
}
