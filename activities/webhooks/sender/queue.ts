import type { Database } from '../../../db/platform/database';
import { fetchDue, scanDue } from '../../../db/webhooks/deliveries';
import type { ClaimedDelivery, FetchedDelivery } from '../../../db/webhooks/deliveries';
import type { Receiver, Rule, Share } from './rule';

const firstId = '00000000-0000-0000-0000-000000000000';
const pageEndpoints = 256;
/**
 * A scan searches for endpoints with due deliveries, and is repeated after `scanMs`, or after `scanFullMs` while the
 * sender has no capacity. After a slow scan, the pause is 20 times the duration of the scan, but at most
 * `maxScanPauseMs`.
 */
const scanMs = 15;
const scanFullMs = 150;
const scanShare = 20;
const maxScanPauseMs = 200;
/** Deliveries of older months are in other partitions, which are scanned separately and only at this interval. */
const otherMonthsMs = 1_000;
/**
 * After a fetch that found a delivery of an endpoint, the sender continues to fetch from that endpoint for this time,
 * without waiting for a scan. At most `maxHot` endpoints are treated in this way.
 */
const hotMs = 200;
const maxHot = 32;
/**
 * A delivery is due from the start of its transaction, but visible only after the commit. A fetch skips deliveries
 * that became due before the endpoint's due watermark. The watermark is therefore this much older than the newest
 * fetched delivery, so that deliveries from transactions of up to a second are still found.
 */
const slackSeconds = 1;
/**
 * The length of a round in milliseconds. Once per round and endpoint, a fetch ignores the due watermark to find
 * deliveries that became visible later than `slackSeconds`. A round is longer if such fetches are slow, so that they
 * take at most a tenth of the time.
 */
const roundMs = 1_000;
const fullFetchShare = 10;

export type ClaimScope = { owner: string; shard: number; shards: number };
export type Fetched = { delivery: FetchedDelivery; receiver: Receiver };

/** What the sender knows about the deliveries that wait for an endpoint. */
type Line = {
  /**
   * The due watermark: fetches skip deliveries that became due earlier. In seconds since 1970 by the database's
   * clock.
   */
  watermarkS: number;
  /** The number of the round in which a fetch last ignored the watermark. */
  round: number;
  /** True if deliveries may wait in monthly partitions other than the recent ones. */
  hasOther: boolean;
  hotUntil: number;
};

/**
 * Remembers the endpoints of a shard that have deliveries due, and leases as many of these deliveries as the rule
 * allows.
 */
export function createQueue(database: Pick<Database, 'queryAsWorker'>, scope: ClaimScope, rule: Rule) {
  const lines = new WeakMap<Receiver, Line>();
  /** The endpoints that probably have due deliveries, in the order in which they are served. */
  const due = new Set<Receiver>();
  const hot = new Set<Receiver>();
  const scans = { recent: newScan(), other: newScan() };
  let round = { number: 1, startedAt: 0, endsAt: 0, fullMs: 0 };

  const lineOf = (receiver: Receiver): Line => {
    const known = lines.get(receiver);
    if (known) return known;
    const line = { watermarkS: 0, round: 0, hasOther: false, hotUntil: 0 };
    lines.set(receiver, line);
    return line;
  };

  /**
   * Reads the next page of endpoints with due deliveries. After the last page, the scan pauses for at least `pauseMs`.
   */
  const scan = async (months: 'recent' | 'other', pauseMs: number): Promise<void> => {
    const state = scans[months];
    const startedAt = performance.now();
    const rows = await database.queryAsWorker(
      scanDue({ ...scope, after: state.after, limitEndpoints: pageEndpoints, months }),
    );
    for (const { endpoint_id, merchant_id, in_flight_limit, is_open } of rows) {
      if (!is_open || merchant_id === null) continue;
      const receiver = rule.find(endpoint_id, merchant_id, in_flight_limit);
      lineOf(receiver).hasOther ||= months === 'other';
      due.add(receiver);
    }
    const now = performance.now();
    state.tookMs += now - startedAt;
    state.after = (rows.length === pageEndpoints ? rows.at(-1)?.endpoint_id : undefined) ?? firstId;
    if (state.after !== firstId) return;
    state.nextAt = now + Math.max(pauseMs, Math.min(maxScanPauseMs, scanShare * state.tookMs));
    state.tookMs = 0;
    if (months === 'other') rule.forget((receiver) => due.has(receiver) || hot.has(receiver));
  };

  const learn = ({ receiver, limit }: Share, found: readonly FetchedDelivery[]): void => {
    const line = lineOf(receiver);
    const last = found.at(-1);
    const isThrough = found.length < limit;
    receiver.likely = isThrough ? 2 * found.length + 2 : Infinity;
    if (isThrough) line.hasOther = false;
    due.delete(receiver);
    hot.delete(receiver);
    if (!last) return;
    line.watermarkS = last.due_s - slackSeconds;
    line.hotUntil = performance.now() + hotMs;
    hot.add(receiver);
    if (!isThrough) due.add(receiver);
  };

  /**
   * Leases due deliveries, at most as many as each share allows for its endpoint, and returns them with their
   * endpoints.
   */
  const fetch = async (shares: readonly Share[], held: readonly ClaimedDelivery[]): Promise<Fetched[]> => {
    const startedAt = performance.now();
    if (startedAt >= round.endsAt)
      round = { number: round.number + 1, startedAt, endsAt: startedAt + roundMs, fullMs: 0 };
    const isFull = ({ receiver }: Share) => lineOf(receiver).round < round.number;
    const months = shares.some(({ receiver }) => lineOf(receiver).hasOther) ? 'all' : 'recent';
    const chosen = shares.map((share) => ({
      endpoint_id: share.receiver.id,
      limit: share.limit,
      limit_beside_retries: share.limitBesideRetries,
      watermark_s: isFull(share) ? 0 : lineOf(share.receiver).watermarkS,
    }));
    const rows = await database.queryAsWorker(fetchDue(scope.owner, chosen, held, months));
    if (shares.some(isFull)) {
      round.fullMs += performance.now() - startedAt;
      round.endsAt = Math.max(round.endsAt, round.startedAt + fullFetchShare * round.fullMs);
      for (const { receiver } of shares) lineOf(receiver).round = round.number;
    }
    const found = new Map<string, FetchedDelivery[]>(shares.map(({ receiver }) => [receiver.id, []]));
    for (const row of rows) found.get(row.endpoint_id)?.push(row);
    return shares.flatMap((share) => {
      const ofEndpoint = found.get(share.receiver.id) ?? [];
      learn(share, ofEndpoint);
      return ofEndpoint.map((delivery) => ({ delivery, receiver: share.receiver }));
    });
  };

  return {
    /** True if endpoints have due deliveries that the rule (rule.ts) holds back at the moment. */
    isWaiting: () => due.size > 0,

    /** True if a scan has more pages to read. */
    isScanning: () => scans.recent.after !== firstId || scans.other.after !== firstId,

    /**
     * Scans for endpoints with due deliveries: immediately if `isNotified`, otherwise when the pause since the last
     * scan is over. `isFull` means that the last claim used all capacity; the next pause then lasts `scanFullMs`.
     */
    async look(isNotified: boolean, isFull: boolean): Promise<void> {
      const now = performance.now();
      if (isNotified || now >= scans.recent.nextAt) await scan('recent', isFull ? scanFullMs : scanMs);
      if (now >= scans.other.nextAt) await scan('other', otherMonthsMs);
    },

    /**
     * Leases as many deliveries as the rule allows within `capacity`. `held` returns the deliveries that the sender
     * already works on, which stay leased.
     */
    async claim(capacity: number, held: () => ClaimedDelivery[]): Promise<Fetched[]> {
      const now = performance.now();
      for (const receiver of hot) {
        if (lineOf(receiver).hotUntil < now || hot.size > maxHot) hot.delete(receiver);
        else due.add(receiver);
      }
      const shares = rule.plan(due, capacity);
      return shares.length > 0 ? fetch(shares, held()) : [];
    },
  };
}

const newScan = () => ({ after: firstId, tookMs: 0, nextAt: 0 });
