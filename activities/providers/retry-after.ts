/** A number as providers write waiting times. */
export const decimalNumber = /^\d+(\.\d+)?(e\d+)?$/i;
const httpDate = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .+$/i;

/**
 * `Retry-After` in seconds or as a date, in whole milliseconds; a date that is over is 0. Undefined for whatever
 * else stands there.
 */
export function readRetryAfter(header: string): number | undefined {
  const value = header.trim();
  if (decimalNumber.test(value)) return Math.ceil(Number(value) * 1000);
  if (!httpDate.test(value)) return undefined;
  // The oldest of the three forms names no zone and means GMT.
  const waitMs = Date.parse(/gmt$/i.test(value) ? value : `${value} GMT`) - Date.now();
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}
