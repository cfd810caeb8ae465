import type { Query } from '../../../db/platform/statement';
import { LRUCache } from 'lru-cache';
import { findKeyMerchant } from '../../../db/platform/sessions';
import type { Caller, Database, Meter, Requester } from '../../../db/platform/database';
import { ApiError } from '../operation/api-error';

/** How long a task waits for its turn. It is the same time that the pool lets a call wait for a connection. */
const waitLimitMs = 4_000;
/** The most tasks of one lane that may wait. Further tasks get a 503 at once. */
const maxWaiting = 1_000;
const maxVisitorsWaiting = 50;
const keyRememberedForMs = 600_000;
const maxRememberedKeys = 50_000;

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
      // The next task takes the place of this one, so `running` does not change.
      const next = lane.waiting.shift();
      if (next) next();
      else lane.running -= 1;
      if (lane.running === 0) lanes.delete(key);
    }
  };

  return { run, count: () => lanes.size };
}

/**
 * Wraps the database so that no merchant uses more than half of the connections at a time. The same limit applies to
 * all catalogue visitors together and to all sign-ins together. Once the database has proven a credential, a session is
 * counted for the merchant of its calls and a service key for its merchant. Until then, each session has a lane of its
 * own and all service keys share one, so that invented credentials delay no proven caller.
 */
export function withLanes(database: Database, poolSize: number): Database {
  const lanes = createLanes(Math.max(1, Math.floor(poolSize / 2)));
  const slowLanes = createLanes(Math.max(1, Math.floor(poolSize / 4)));
  const keyLanes = new LRUCache<string, string>({ max: maxRememberedKeys, ttl: keyRememberedForMs });
  const sessionLanes = new LRUCache<string, string>({ max: maxRememberedKeys, ttl: keyRememberedForMs });
  /** Returns a key of what determines a call's merchant: the session, and the merchant that the request names. */
  const placeOf = ({ sessionId, askedMerchantId }: Requester & { kind: 'user_session' }) =>
    `${sessionId} ${askedMerchantId?.slice(0, 36)}`;

  const laneOf = (caller: Caller): string => {
    if (caller.kind === 'service_key') return keyLanes.get(caller.keyHash) ?? 'unproven service keys';
    if (caller.kind !== 'user_session') return caller.kind;
    // Platform admins work for many merchants, so they are always counted by session.
    const known = caller.homeMerchantId === null ? undefined : sessionLanes.get(placeOf(caller));
    return known ?? `session ${caller.sessionId}`;
  };

  /** Remembers the merchant of a service key after the key's first successful call. */
  const learn = async (keyHash: string, keyId: string): Promise<void> => {
    const [key] = await database.query({ kind: 'sign_in' }, findKeyMerchant(keyId));
    if (key) keyLanes.set(keyHash, key.merchant_id === null ? `key ${keyId}` : `merchant ${key.merchant_id}`);
  };

  const callAndLearn = async <T>(caller: Caller, work: (caller: Caller) => Promise<T>): Promise<T> => {
    const isKnown =
      caller.kind === 'service_key'
        ? keyLanes.has(caller.keyHash)
        : caller.kind !== 'user_session' || sessionLanes.has(placeOf(caller));
    if (isKnown) return work(caller);
    const meter: Meter = caller.meter ?? { databaseMs: 0, merchantId: null, callerId: null };
    try {
      return await work({ ...caller, meter });
    } finally {
      if (caller.kind === 'user_session' && meter.merchantId !== null)
        sessionLanes.set(placeOf(caller), `merchant ${meter.merchantId}`);
      // If this fails, the key's next call tries again.
      if (caller.kind === 'service_key' && meter.callerId)
        await learn(caller.keyHash, meter.callerId).catch(() => undefined);
    }
  };
  const inLane = <T>(caller: Caller, work: (caller: Caller) => Promise<T>): Promise<T> =>
    lanes.run(
      laneOf(caller),
      () => callAndLearn(caller, work),
      caller.kind === 'portal_visit' ? maxVisitorsWaiting : maxWaiting,
    );

  return {
    ...database,
    read: (caller, work) => inLane(caller, (metered) => database.read(metered, work)),
    write: (caller, work) => inLane(caller, (metered) => database.write(metered, work)),
    // Reports read for seconds, so they get at most half of the merchant's connections.
    snapshot: (caller, work, signal) =>
      slowLanes.run(laneOf(caller), () =>
        inLane(caller, (metered) => database.snapshot(metered, work, signal)),
      ),
    query: <Row>(caller: Caller, query: Query<Row>) =>
      inLane(caller, (metered) => database.query(metered, query)),
  };
}
