import { createHash } from 'node:crypto';

/** Returns a UUID that depends only on the words, so that the seed finds its rows when it runs again. */
export function fixedId(words: string): string {
  const hex = createHash('sha256').update(`interview-platform seed ${words}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export const interviewId = (key: string): string => fixedId(`interview ${key}`);
export const positionIds = { main: fixedId('position main'), other: fixedId('position other') };
