import type { AttemptOutcome } from '../../../db/webhooks/vocabulary';

/** A request that takes this long is slow, and so is an endpoint whose requests take this long on average. */
export const slowAfterMs = 1_000;
/** An endpoint starts with this concurrency limit and earns a higher one with fast responses. */
export const startSlots = 4;
export const maxSlots = 50;
const fastMs = 250;
const failuresInRow = 3;
/**
 * An endpoint that is not fast regains one request of its initial limit after this many acknowledgements in a row.
 */
const acknowledgedForOne = 10;
/** The weight of the newest response in the mean. */
const newestWeight = 0.2;

/** What the sender knows about an endpoint from its requests. */
export type Place = {
  endpointId: string;
  merchantId: string;
  slots: number;
  limit: number;
  meanMs: number | undefined;
  failures: number;
  acknowledged: number;
  inWindow: number;
  inSlow: number;
  bytes: number;
  endedAt: number;
  answeredAt: number;
};

export const createPlace = (endpointId: string, merchantId: string): Place => ({
  endpointId,
  merchantId,
  slots: startSlots,
  limit: maxSlots,
  meanMs: undefined,
  failures: 0,
  acknowledged: 0,
  inWindow: 0,
  inSlow: 0,
  bytes: 0,
  endedAt: 0,
  answeredAt: -Infinity,
});

export const isSlow = ({ inSlow, meanMs }: Place): boolean => inSlow > 0 || (meanMs ?? 0) >= slowAfterMs;

/**
 * Returns whether the endpoint has responded within the last second, so that its requests are unlikely to stay in the
 * window.
 */
export const isAnswering = ({ answeredAt }: Place): boolean => performance.now() - answeredAt < slowAfterMs;

/**
 * Adjusts the concurrency limit after a request: fast responses raise it, and failures lower it to one. `status` is
 * null without a response.
 */
export function learn(place: Place, tookMs: number, outcome: AttemptOutcome, status: number | null): void {
  place.meanMs =
    place.meanMs === undefined ? tookMs : place.meanMs * (1 - newestWeight) + tookMs * newestWeight;
  const isAnswer = outcome === 'acknowledged' || (outcome === 'refused' && !asksForLess.has(status ?? 0));
  if (isAnswer) place.answeredAt = place.endedAt;
  place.failures = isAnswer ? 0 : place.failures + 1;
  place.acknowledged = outcome === 'acknowledged' ? place.acknowledged + 1 : 0;
  if (outcome === 'timeout' || place.failures >= failuresInRow) place.slots = 1;
  else if (!isAnswer) return;
  else if (place.meanMs < fastMs) place.slots = Math.min(place.slots + 1, maxSlots);
  else if (place.slots > startSlots) place.slots -= 1;
  else if (place.slots < startSlots && place.acknowledged >= acknowledgedForOne) {
    place.slots += 1;
    place.acknowledged = 0;
  }
}

/**
 * With these statuses a receiver asks for fewer requests, so they do not count as good responses, however fast they
 * are.
 */
const asksForLess = new Set([429, 503]);
