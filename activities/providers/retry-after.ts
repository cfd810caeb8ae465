/** Matches a number in the forms that providers use for waits, such as `1.5` or `1e3`. */
export const decimalNumber = /^\d+(\.\d+)?(e\d+)?$/i;
const httpDate = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .+$/i;

/**
 * Reads `Retry-After`, in seconds or as a date, and returns whole milliseconds. A date in the past is 0. Returns
 * undefined for any other value.
 */
export function readRetryAfter(header: string): number | undefined {
  const value = header.trim();
  if (decimalNumber.test(value)) return Math.ceil(Number(value) * 1000);
  if (!httpDate.test(value)) return undefined;
  // The oldest of HTTP's three date formats has no time zone and means GMT.
  const waitMs = Date.parse(/gmt$/i.test(value) ? value : `${value} GMT`) - Date.now();
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}
