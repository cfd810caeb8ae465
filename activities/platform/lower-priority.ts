import { setPriority } from 'node:os';

/** A priority at which the processor is left to others that need it (`nice`). */
const background = 10;

/**
 * Lets everything else run first: this is for work on long texts, for which nobody waits as a candidate waits for the
 * next question. Only Linux sets the priority of the calling thread; elsewhere the whole process would get it.
 */
export function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(background);
}
