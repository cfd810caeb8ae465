import type { AttemptOutcome } from '../../../db/webhooks/vocabulary';

/** A call, or an endpoint whose calls take so long in the mean, is slow. */
export const slowAfterMs = 1_000;
/** An endpoint begins with so many calls at a time and earns more by speed. */
export const startSlots = 4;
export const maxSlots = 50;
const fastMs = 250;
const failuresInRow = 3;
/** So many acknowledgements in a row give an endpoint that is not fast back one of the slots that it began with. */
const acknowledgedForOne = 10;
/** Weight of the newest answer in the mean. */
const newestWeight = 0.2;

/** What the sender knows of an endpoint from its calls. */
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

/** Answers at present, as far as anybody knows: so that its calls will not stay in the window. */
export const isAnswering = ({ answeredAt }: Place): boolean => performance.now() - answeredAt < slowAfterMs;

/** Learns from a call that has ended: more slots for fast answers, one slot after failures. `status` null: no answer. */
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

/** A receiver that asks for less is not answering as it should, however fast it is. */
const asksForLess = new Set([429, 503]);
