import pLimit from 'p-limit';
import { ApiError } from '../contracts/api-error';
import type { Database } from '../../db/scope';

/** The doors to the database that visitors of a catalogue have. */
export type VisitorDoors = Pick<Database, 'asCaller' | 'queryAsCaller'>;

/** Transactions that wait for one of the connections, each at most some seconds. */
const mostWaiting = 50;

/**
 * Doors by which all visitors of catalogues together have that many connections at a time: who need not sign in cannot
 * take the API's. Throws 503 where too many wait.
 */
export function limitVisitors(database: VisitorDoors, mostAtOnce: number): VisitorDoors {
  const limit = pLimit(mostAtOnce);
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.pendingCount >= mostWaiting)
      throw new ApiError('overloaded', 'Too many visitors at once, try again later', undefined, 5);
    return limit(work);
  };
  return {
    asCaller: (caller, mode, work) => inTurn(() => database.asCaller(caller, mode, work)),
    queryAsCaller: <Row>(...query: Parameters<VisitorDoors['queryAsCaller']>) =>
      inTurn(() => database.queryAsCaller<Row>(...query)),
  };
}
