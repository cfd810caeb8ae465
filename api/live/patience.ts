/*
 * How long the interviewer waits before it speaks (docs/live.md#whose-turn-it-is). All times are milliseconds on the clock
 * of the candidate's frames, so that a network that stalls is not a pause.
 */

export type Patience = {
  /** How long a candidate may think before the first word. */
  thinkMs: number;
  /** How long a pause may be after words that sound finished, and after others. */
  finishedMs: number;
  unfinishedMs: number;
  /** How much longer the pause may be in which the candidate asks for a moment. */
  momentMs: number;
};

const base: Patience = { thinkMs: 30_000, finishedMs: 1_900, unfinishedMs: 4_000, momentMs: 20_000 };
const speeds = { slower: 1.3, normal: 1, faster: 0.8 } as const;
/** Questions of a test need longer pauses than questions about one's own life. */
const assessmentFactor = 1.3;

/** Returns the patience of an attempt. `timeFactor` is the accommodation of the candidate. */
export function patienceOf({
  timeFactor,
  speed,
  isAssessment,
}: {
  timeFactor: number;
  speed: keyof typeof speeds | null;
  isAssessment: boolean;
}): Patience {
  const factor = timeFactor * speeds[speed ?? 'normal'] * (isAssessment ? assessmentFactor : 1);
  return {
    thinkMs: base.thinkMs * factor,
    finishedMs: base.finishedMs * factor,
    unfinishedMs: base.unfinishedMs * factor,
    momentMs: base.momentMs * factor,
  };
}

/**
 * Whose turn it is: while the candidate speaks, `speakingSince` is set; in a pause, `quietSince`. Both are null before the
 * first word. `isFinished` says how the words so far sound; null means that they are not known yet.
 */
export type ListeningState = {
  since: number;
  speakingSince: number | null;
  quietSince: number | null;
  isFinished: boolean | null;
  /** When the candidate last asked for a moment, with the button or in words. */
  momentAt: number | null;
};

export const beginListening = (since: number): ListeningState => ({
  since,
  speakingSince: null,
  quietSince: null,
  isFinished: null,
  momentAt: null,
});

/**
 * Returns `answered` or `silent` if the turn is over at `now`, else null. It is never over while the candidate speaks, unless
 * the time of the answer, `maxMs`, is up.
 */
export function whyTurnOver(
  listening: ListeningState,
  patience: Patience,
  now: number,
  maxMs: number | null,
): 'answered' | 'silent' | null {
  const { since, speakingSince, quietSince, isFinished, momentAt } = listening;
  const hasSpoken = speakingSince !== null || quietSince !== null;
  if (maxMs !== null && now - since >= maxMs) return hasSpoken ? 'answered' : 'silent';
  if (speakingSince !== null) return null;
  const pauseSince = quietSince ?? since;
  const allowed = hasSpoken ? (isFinished ? patience.finishedMs : patience.unfinishedMs) : patience.thinkMs;
  const isMoment = momentAt !== null && momentAt >= pauseSince;
  const endsAt = isMoment
    ? Math.max(pauseSince + allowed, momentAt + patience.momentMs)
    : pauseSince + allowed;
  if (now < endsAt) return null;
  return hasSpoken ? 'answered' : 'silent';
}
