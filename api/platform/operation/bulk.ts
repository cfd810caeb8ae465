import { createLanes } from '../http/database-lanes';

/** Runs a call of a merchant about this number of people. */
export type Bulk = <T>(merchantId: string, rows: number, call: () => Promise<T>) => Promise<T>;

const smallRows = 50;
const share = 0.4;
/**
 * The longest time that a call waits for calls of its own merchant, and again for those of others. It leaves time for the
 * call within the 60 s limit of every operation (docs/architecture.md#time-limits).
 */
const waitMs = 10_000;
/** The most calls of one merchant that wait. A waiting large call can hold several megabytes of parsed rows. */
const maxWaiting = { small: 100, large: 20 };

/**
 * Runs calls about people in two queues, one for calls with up to 50 rows and one for larger calls, because such calls
 * wait for one another's locks while each holds a connection. A queue uses at most its share of the pool's connections,
 * so that other calls find a free one if the pool has three or more, and small calls never wait for large ones. Calls
 * that wait too long get a 503. Each process has its own queues.
 */
export function createBulk(poolSize: number): Bulk {
  const places = Math.max(1, Math.floor(poolSize * share));
  const small = createFairQueue(places, maxWaiting.small);
  const large = createFairQueue(places, maxWaiting.large);
  return (merchantId, rows, call) => (rows <= smallRows ? small : large)(merchantId, call);
}

/**
 * Runs up to `places` calls at once, at most half of them for one merchant. Further calls of a merchant wait in that
 * merchant's own queue, so that no merchant can take more than half of the places from the others.
 */
function createFairQueue(places: number, maxMerchantWaiting: number) {
  const ofMerchant = createLanes(Math.max(1, Math.floor(places / 2)), { waitMs });
  const ofAll = createLanes(places, { waitMs });
  return <T>(merchantId: string, call: () => Promise<T>): Promise<T> =>
    ofMerchant.run(merchantId, () => ofAll.run('all', call), maxMerchantWaiting);
}
