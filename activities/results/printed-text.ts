import { breakable } from '../platform/pdf-text';

/**
 * Words that are longer than this can be broken. A line fits this many of the widest letters in the normal font size.
 */
export const wordLimit = 36;

/** Returns at most `limit` UTF-16 units, without half of a surrogate pair at the end. */
export const cut = (text: string, limit: number): string =>
  text.length <= limit ? text : text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');

/** Returns a text that is cut to a limit and whose long words can be broken. */
export const readable = (text: string, limit: number): string => {
  const short = cut(text, limit);
  return breakable(short.length < text.length ? `${short}…` : short, wordLimit);
};

/** Returns a readable text, or null if there is nothing but space. */
export const readableOrNull = (text: string | null, limit: number): string | null =>
  text === null || text.trim() === '' ? null : readable(text, limit);

export const clamp = (share: number): number => Math.min(1, Math.max(0, share));
