/** Random numbers that are the same in every run with the same seed. */
export function seededRandom(seed: number) {
  let state = seed;
  const next = (): number => {
    // This is the algorithm mulberry32.
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (share: number): boolean => next() < share,
    pick: <T>(list: readonly T[]): T => list[below(list.length)] as T,
    some: <T>(list: readonly T[], count: number): T[] =>
      list
        .map((value) => ({ value, place: next() }))
        .toSorted((one, other) => one.place - other.place)
        .slice(0, count)
        .map(({ value }) => value),
  };
}
export type Random = ReturnType<typeof seededRandom>;
