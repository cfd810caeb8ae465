/**
 * Returns how many milliseconds of a sound have reached the candidate's ears: those that were played, without those that
 * are still on their way through the device. The times are seconds of the context of the sound.
 */
export const heardMs = ({
  startedAt,
  now,
  latency,
  length,
}: {
  startedAt: number;
  now: number;
  latency: number;
  length: number;
}): number => Math.round(Math.max(0, Math.min(now - startedAt - latency, length)) * 1_000);

/** The milliseconds of trouble after which the page goes on without a live conversation. */
const patienceMs = 5_000;
/** The longest stretch between two looks that counts. A phone that sleeps takes no look, and is not in trouble. */
const longestMs = 500;

/** Returns the trouble so far, in milliseconds, and whether it has lasted too long. */
export function addTroubleTime(
  before: number,
  elapsedMs: number,
  isWell: boolean,
): { troubleMs: number; isTooLong: boolean } {
  const troubleMs = isWell ? 0 : before + Math.min(elapsedMs, longestMs);
  return { troubleMs, isTooLong: troubleMs >= patienceMs };
}
