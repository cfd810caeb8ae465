import { frameMs } from './wire';

/* How long a conversation waits for what. The waits for the candidate are in patience.ts. */

/** The candidate can take back an answer until so much of the next question was heard. */
export const withdrawableMs = 1_000;
/** The beginning of an interruption is heard too: the page reports it after 400 ms. */
export const keptFrames = 1_500 / frameMs;
/** How long the last words of an answer may take to be written down. */
export const wordsMs = 3_000;
/** After this time without a decision, the page plays a short sound of listening. */
export const hmMs = 700;
/** After so long without a frame, the page is not there. */
export const framesMs = 5_000;
export const pollMs = 10_000;
/** A visitor of a public avatar asks for so long at most, which is about the most characters that can be typed. */
export const maxQuestionSeconds = 60;
