import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 50;

/** Resolves to true as soon as the condition holds, or to false if it does not hold within the limit. */
export async function waitUntil(condition: () => boolean, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (!condition()) {
    if (Date.now() >= deadline) return false;
    await sleep(pollMs);
  }
  return true;
}
