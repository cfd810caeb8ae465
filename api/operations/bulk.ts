import pLimit from 'p-limit';

export type Bulk = <T>(rows: number, call: () => Promise<T>) => Promise<T>;

const atOnce = 4;
const smallRows = 50;

/**
 * Lets calls with many rows through four at a time in each process: twenty at once would hold every connection of the
 * pool while they wait for one another's locks, and nobody else would get one.
 */
export function createBulk(): Bulk {
  const limit = pLimit(atOnce);
  return (rows, call) => (rows <= smallRows ? call() : limit(call));
}
