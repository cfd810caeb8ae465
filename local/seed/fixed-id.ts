import { createHash } from 'node:crypto';

/** Returns the same UUID for the same words on every machine, so that the seed can run again and find its rows. */
export function fixedId(words: string): string {
  const hex = createHash('sha256').update(`interview-platform seed ${words}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
