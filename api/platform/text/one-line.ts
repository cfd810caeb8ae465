import { withoutInvisible } from './visible-text';

/**
 * Returns a name as one line. Line breaks, other control characters and lone surrogates become blanks, so that the name
 * cannot begin a new header or line. Invisible characters are removed, and so are those that change the reading
 * direction, because they would turn around the rest of the line.
 */
export function oneLine(name: string): string {
  return withoutInvisible(name)
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .trim();
}
