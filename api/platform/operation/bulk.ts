import pLimit from 'p-limit';
import { ApiError } from './api-error';

export type Bulk = <T>(rows: number, call: () => Promise<T>) => Promise<T>;

const smallRows = 50;
const share = 0.4;
/**
 * The longest time that a call waits for its turn. It leaves time for the call within the 60 s limit of every operation
 * (docs/architecture.md#time-limits).
 */
const maxWaitMs = 20_000;

/**
 * Runs calls about people in two lanes, one for calls with up to 50 rows and one for larger calls, because such calls
 * wait for one another's locks while each holds a connection. A lane uses at most its share of the pool's connections,
 * so that other calls find a free one if the pool has three or more, and small calls never wait for large ones. Calls
 * that wait more than 20 s get a 503. Each process has its own lanes.
 */
export function createBulk(poolSize: number): Bulk {
  const places = Math.max(1, Math.floor(poolSize * share));
  const [small, large] = [pLimit(places), pLimit(places)];
  return (rows, call) => inTurn(rows <= smallRows ? small : large, call);
}

function inTurn<T>(lane: pLimit.Limit, call: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isGivenUp = false;
    const patience = setTimeout(() => {
      isGivenUp = true;
      reject(
        new ApiError(
          'overloaded',
          'Too many registrations and invitations are in progress. Try again later.',
          undefined,
          5,
        ),
      );
    }, maxWaitMs);
    lane(() => {
      clearTimeout(patience);
      return isGivenUp ? undefined : call().then(resolve);
    }).catch(reject);
  });
}
