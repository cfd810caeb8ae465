/** Returns a function that takes one of `burst` tokens, which come back at a rate, and is false if there is none. */
export function createTokenBucket(perSecond: number, burst: number): () => boolean {
  let tokens = burst;
  let at = performance.now();
  return () => {
    const now = performance.now();
    tokens = Math.min(burst, tokens + ((now - at) * perSecond) / 1_000);
    at = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
