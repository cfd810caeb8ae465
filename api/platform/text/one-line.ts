/**
 * Returns a name as one line. Line breaks, other control characters and lone surrogates become blanks, so that the name
 * cannot begin a new header or line. Characters that change the reading direction are removed, so that the surrounding
 * text keeps its direction.
 */
export function oneLine(name: string): string {
  return name
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .trim();
}
