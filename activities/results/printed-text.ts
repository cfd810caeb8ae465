import { allowLineBreaks } from '../platform/pdf-text';

/**
 * Words that are longer than this can be broken. A line fits this many of the widest letters in the normal font size.
 */
export const maxUnbrokenWord = 36;

/** Returns at most `limit` UTF-16 units, without half of a surrogate pair at the end. */
export const truncate = (text: string, limit: number): string =>
  text.length <= limit ? text : text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');

/** Returns a text that is cut to a limit and whose long words can be broken. */
export const fitForPrint = (text: string, limit: number): string => {
  const short = truncate(text, limit);
  return allowLineBreaks(short.length < text.length ? `${short}…` : short, maxUnbrokenWord);
};

/** Returns a readable text, or null if there is nothing but space. */
export const fitForPrintOrNull = (text: string | null, limit: number): string | null =>
  text === null || text.trim() === '' ? null : fitForPrint(text, limit);

export const clampShare = (share: number): number => Math.min(1, Math.max(0, share));
