import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

const maxCharacters = 50;

/** Returns a number in the form `+491701234567`, or null if the text is no valid number with a country code. */
export function toPhoneNumber(text: string | null): string | null {
  if (text === null || text.length > maxCharacters) return null;
  const parsed = parsePhoneNumberFromString(text, { extract: false });
  return parsed?.isValid() ? parsed.number : null;
}
