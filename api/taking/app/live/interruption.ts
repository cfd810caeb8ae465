/*
 * Decides from the level of the microphone whether the candidate talks. One frame is 20 ms of sound. All functions here
 * are pure, and count frames instead of reading a clock.
 */

const frameMs = 20;
/** Levels above this are speech, on a scale of 0 to 1. */
const speechLevel = 0.02;
/**
 * While the interviewer speaks, a part of that sound comes back through the microphone, so only louder sound is the
 * candidate's.
 */
const levelOverSpeech = 0.035;
/** Speech is at least this much louder than the noise of the room. */
const overNoise = 3;
/** Pauses between words that do not end a stretch of speech. Shorter ones, as within words before a "p" or "t", are part of it. */
const pauseMs = 200;
const withinWordMs = 100;
/** After this much speech, the voice of the interviewer is lowered, and after so much it stops. */
const lowerMs = 60;
const stopMs = 400;

/** Returns whether a sound may be what comes back of the interviewer's own. */
export const isEcho = (level: number): boolean => level <= levelOverSpeech;

export type InterruptionState = {
  /** The level of the noise of the room. */
  noise: number;
  loudMs: number;
  quietMs: number;
  isLowered: boolean;
  isSpoken: boolean;
};

export const initialInterruption: InterruptionState = {
  noise: 0.002,
  loudMs: 0,
  quietMs: 0,
  isLowered: false,
  isSpoken: false,
};

/**
 * What the page does after a frame: `lower` the interviewer's voice, `raise` it again, `stop` it because the candidate
 * has spoken for 400 ms, or, while the interviewer is silent, note that the candidate `spoke`.
 */
export type InterruptionAction = 'lower' | 'raise' | 'stop' | 'spoke' | null;

/** Returns the state after a frame of this level, and what it means. A short sound such as "mm" stops nothing. */
export function hearFrame(
  before: InterruptionState,
  level: number,
  isSpoken: boolean,
): { hearing: InterruptionState; heard: InterruptionAction } {
  // What comes back of a lowered voice is lowered too, so the quieter sounds of words count then.
  const isOver = isSpoken && !before.isLowered;
  const isLoud = level > Math.max(isOver ? levelOverSpeech : speechLevel, before.noise * overNoise);
  const quietMs = isLoud ? 0 : before.quietMs + frameMs;
  // A candidate who is talking when the interviewer begins interrupts as well, so the count begins again.
  const loudBefore = isSpoken && !before.isSpoken ? 0 : before.loudMs;
  const gapMs = loudBefore > 0 && before.quietMs <= withinWordMs ? before.quietMs : 0;
  const loudMs = isLoud ? loudBefore + gapMs + frameMs : quietMs > pauseMs ? 0 : loudBefore;
  // The noise falls at once and rises over 40 seconds, so that speech without a pause is not taken for noise.
  const noise = level < before.noise ? level : before.noise + (level - before.noise) * 0.0005;
  const hearing = { noise, loudMs, quietMs, isLowered: before.isLowered && isSpoken, isSpoken };
  if (loudMs >= stopMs && loudBefore < stopMs)
    return { hearing: { ...hearing, isLowered: isSpoken }, heard: isSpoken ? 'stop' : 'spoke' };
  if (!isSpoken) return { hearing, heard: null };
  if (loudMs >= lowerMs && !before.isLowered)
    return { hearing: { ...hearing, isLowered: true }, heard: 'lower' };
  if (loudMs === 0 && before.isLowered) return { hearing: { ...hearing, isLowered: false }, heard: 'raise' };
  return { hearing, heard: null };
}
