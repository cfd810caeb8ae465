import { LRUCache } from 'lru-cache';
import type { Caller, Database, LinkCaller, Requester } from '../../../db/platform/database';
import { findKeyMerchant } from '../../../db/platform/sessions';
import type { Query } from '../../../db/platform/statement';
import { ApiError } from '../operation/api-error';

/** How long a task waits for its turn. A call waits equally long for a connection of the pool. */
const waitLimitMs = 4_000;
/**
 * A lane is a queue of tasks, for example those of one merchant. If this many of its tasks wait, further tasks get a
 * 503 immediately.
 */
const maxWaiting = 1_000;
const maxVisitorsWaiting = 50;
const laneRememberedForMs = 600_000;
const maxRememberedLanes = 50_000;

type Lane = { running: number; waiting: (() => void)[] };

const overloaded = () =>
  new ApiError('overloaded', 'Too many of your calls are waiting. Try again later.', undefined, 5);

/**
 * Runs at most `size` tasks of each lane at a time. The others wait and run in the order in which they arrived. Throws
 * 503 if a task has waited too long or too many are waiting.
 */
export function createLanes(size: number, { waitMs = waitLimitMs } = {}) {
  const lanes = new Map<string, Lane>();

  const waitForTurn = (lane: Lane): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        lane.waiting.splice(lane.waiting.indexOf(start), 1);
        reject(overloaded());
      }, waitMs);
      lane.waiting.push(start);
    });

  const run = async <T>(key: string, task: () => Promise<T>, waitingLimit = maxWaiting): Promise<T> => {
    const lane = lanes.get(key) ?? { running: 0, waiting: [] };
    lanes.set(key, lane);
    if (lane.running < size) lane.running += 1;
    else if (lane.waiting.length >= waitingLimit) throw overloaded();
    else await waitForTurn(lane);
    try {
      return await task();
    } finally {
      // The next task starts when this one ends, so `running` does not change.
      const next = lane.waiting.shift();
      if (next) next();
      else lane.running -= 1;
      if (lane.running === 0) lanes.delete(key);
    }
  };

  return { run, count: () => lanes.size };
}

const linkKey = ({ enrolmentId }: LinkCaller): string => `link ${enrolmentId}`;

/**
 * Wraps the database so that no merchant uses more than half of the connections at a time. The same limit applies to
 * all catalogue visitors together and to all sign-ins together. A credential whose merchant is unknown is first
 * checked by a quick query, in a lane that all such queries share. The first call of a candidate's link runs in a lane
 * that all such calls share, because only that call shows which merchant the link belongs to.
 */
export function withLanes(database: Database, poolSize: number): Database {
  const lanes = createLanes(Math.max(1, Math.floor(poolSize / 2)));
  const slowLanes = createLanes(Math.max(1, Math.floor(poolSize / 4)));
  const knownLanes = new LRUCache<string, string>({ max: maxRememberedLanes, ttl: laneRememberedForMs });

  /**
   * Returns the name of the lane in which a caller's queries run. If the database rejects the caller, throws the same
   * error as the queries would (SQLSTATE PA401, PA403 or PA422).
   */
  const laneOf = async (caller: Caller): Promise<string> => {
    if (caller.kind === 'interview_link') return knownLanes.get(linkKey(caller)) ?? caller.kind;
    if (caller.kind !== 'user_session' && caller.kind !== 'service_key') return caller.kind;
    // Platform admins work for many merchants, so each of their sessions always has a lane of its own.
    if (caller.kind === 'user_session' && caller.homeMerchantId === null)
      return `session ${caller.sessionId}`;
    const credential =
      caller.kind === 'service_key'
        ? caller.keyHash
        : `${caller.sessionId} ${caller.askedMerchantId?.slice(0, 36).toLowerCase()}`;
    const known = knownLanes.get(credential);
    if (known !== undefined) return known;
    const lane = await lanes.run(`unproven ${caller.kind}`, () => prove(caller));
    knownLanes.set(credential, lane);
    return lane;
  };
  const prove = async (caller: Requester): Promise<string> => {
    const scope = await database.read(caller, (trx) => trx.scope());
    if (caller.kind === 'user_session') return `merchant ${scope.merchant_id}`;
    const [key] = await database.query({ kind: 'sign_in' }, findKeyMerchant(scope.caller_id));
    return key?.merchant_id ? `merchant ${key.merchant_id}` : `key ${scope.caller_id}`;
  };
  const inLane = async <T>(lane: string, caller: Caller, work: () => Promise<T>): Promise<T> => {
    const value = await lanes.run(
      lane,
      work,
      caller.kind === 'portal_visit' ? maxVisitorsWaiting : maxWaiting,
    );
    if (caller.kind === 'interview_link' && caller.meter?.merchantId)
      knownLanes.set(linkKey(caller), `merchant ${caller.meter.merchantId}`);
    return value;
  };

  return {
    ...database,
    read: async (caller, work) => inLane(await laneOf(caller), caller, () => database.read(caller, work)),
    write: async (caller, work) => inLane(await laneOf(caller), caller, () => database.write(caller, work)),
    // The queries of a report can take seconds, so reports get at most half of a merchant's connections.
    snapshot: async (caller, work, signal) => {
      const lane = await laneOf(caller);
      return slowLanes.run(lane, () => inLane(lane, caller, () => database.snapshot(caller, work, signal)));
    },
    query: async <Row>(caller: Caller, query: Query<Row>) =>
      inLane(await laneOf(caller), caller, () => database.query(caller, query)),
  };
}
