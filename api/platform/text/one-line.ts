/**
 * A name as one line: line breaks, other control characters and half characters become blanks, so that it starts no header and no line
 * of its own; characters that turn the reading direction are left out, so that it turns no text around it.
 */
export function oneLine(name: string): string {
  return name
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .trim();
}
