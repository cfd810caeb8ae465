import { createHash } from 'node:crypto';

/** The same UUID for the same words on every machine: the seed can run again and finds what it made. */
export function fixedId(words: string): string {
  const hex = createHash('sha256').update(`interview-platform seed ${words}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
