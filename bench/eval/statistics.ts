import { createRandom } from '../../local/seed/history/random';

/** Returns the quadratic weighted kappa of pairs of categories: 1 is full agreement, 0 is agreement by chance. */
export function weightedKappa(pairs: readonly (readonly [number, number])[], categories: number): number {
  const weight = (one: number, other: number) => ((one - other) / (categories - 1)) ** 2;
  const count = (pick: 0 | 1, category: number) => pairs.filter((pair) => pair[pick] === category).length;
  let expected = 0;
  for (let one = 0; one < categories; one += 1)
    for (let other = 0; other < categories; other += 1)
      expected += (weight(one, other) * count(0, one) * count(1, other)) / pairs.length;
  const observed = pairs.reduce((sum, [one, other]) => sum + weight(one, other), 0);
  return expected === 0 ? 1 : 1 - observed / expected;
}

const resamples = 1_000;

/**
 * Returns the 95 % confidence interval of a figure by bootstrap: the figure is computed from many samples of the items,
 * drawn with replacement. The same items always give the same interval.
 */
export function intervalOf<Item>(
  items: readonly Item[],
  figure: (some: readonly Item[]) => number,
): [number, number] {
  const random = createRandom(items.length).next;
  const figures = Array.from({ length: resamples }, () =>
    figure(items.map(() => items[Math.floor(random() * items.length)] as Item)),
  ).sort((one, other) => one - other);
  return [figures[Math.floor(resamples * 0.025)] ?? 0, figures[Math.floor(resamples * 0.975)] ?? 0];
}

/** Runs the work on all items, at most `limit` at a time. Returns the results in the order of the items. */
export async function inParallel<Item, Result>(
  limit: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.map((item, index) => ({ item, index }));
  const runNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      results[next.index] = await work(next.item);
  };
  await Promise.all(Array.from({ length: limit }, runNext));
  return results;
}
