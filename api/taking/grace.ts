/** Answers are accepted for this many milliseconds after the deadline. */
export const graceMs = 30_000;
