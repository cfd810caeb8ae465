import { createLanes } from '../http/database-lanes';

/**
 * Runs `call` as soon as a place in the queue is free, and returns its result. `rows` is the number of people in the
 * call.
 */
export type BulkQueue = <T>(merchantId: string, rows: number, call: () => Promise<T>) => Promise<T>;

const smallRows = 50;
const share = 0.4;
/**
 * A call waits at most this long for earlier calls of its own merchant, and then at most as long again for calls of
 * other merchants. The rest of the 60 s limit of every operation is left for the call itself
 * (docs/architecture.md#time-limits).
 */
const waitMs = 10_000;
/** The most calls of one merchant that wait. A waiting large call can hold several megabytes of parsed rows. */
const maxWaiting = { small: 100, large: 20 };

/**
 * Creates two queues for calls that add people, so that calls with up to 50 rows never wait for larger ones. Each
 * queue uses at most `share` of the pool's connections, because such calls wait for each other's locks while each
 * holds a connection. Calls that wait too long get a 503. Each process has its own queues.
 */
export function createBulkQueue(poolSize: number): BulkQueue {
  const places = Math.max(1, Math.floor(poolSize * share));
  const small = createFairQueue(places, maxWaiting.small);
  const large = createFairQueue(places, maxWaiting.large);
  return (merchantId, rows, call) => (rows <= smallRows ? small : large)(merchantId, call);
}

/**
 * Runs up to `places` calls simultaneously, at most half of them for one merchant. Further calls of a merchant wait
 * in that merchant's own queue, so that at least half of the places stay available to other merchants.
 */
function createFairQueue(places: number, maxMerchantWaiting: number) {
  const ofMerchant = createLanes(Math.max(1, Math.floor(places / 2)), { waitMs });
  const ofAll = createLanes(places, { waitMs });
  return <T>(merchantId: string, call: () => Promise<T>): Promise<T> =>
    ofMerchant.run(merchantId, () => ofAll.run('all', call), maxMerchantWaiting);
}
