/** A source of random numbers that returns the same numbers on every machine. */
export type Random = ReturnType<typeof createRandom>;

/** Creates a source of random numbers from a seed (mulberry32). */
export function createRandom(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** Returns a random number that is nearly normally distributed around `mean`. */
  const around = (mean: number, deviation: number): number =>
    mean + deviation * (next() + next() + next() + next() - 2) * Math.sqrt(3);
  /** Returns a random waiting time, exponentially distributed with this mean. */
  const wait = (mean: number): number => -mean * Math.log(1 - next());
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  const chance = (probability: number): boolean => next() < probability;
  const pick = <Entry>(list: readonly Entry[]): Entry => list[Math.floor(next() * list.length)] as Entry;
  /** Returns a random number of events, Poisson-distributed with this mean. */
  const count = (mean: number): number => {
    const limit = Math.exp(-mean);
    let times = 0;
    for (let product = next(); product > limit; product *= next()) times++;
    return times;
  };
  return { next, around, wait, int, chance, pick, count };
}
