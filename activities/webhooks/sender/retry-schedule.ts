const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/**
 * The waits before attempts 2 to 10, unless the endpoint has a schedule of its own
 * (docs/webhooks.md#attempts-and-schedule).
 */
export const plannedWaitsMs: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
];
const jitter = 0.2;

/**
 * Returns the wait after a failed attempt, in milliseconds. `attempts` is the number of earlier attempts. The planned
 * wait varies by ± 20 %, so that deliveries that failed together are not retried together. A longer `Retry-After`
 * replaces it, up to twice the planned wait.
 */
export function waitAfterFailure(waitsMs: readonly number[], attempts: number, retryAfterMs: number | null) {
  const planned = (waitsMs[attempts] ?? 0) * (1 - jitter + 2 * jitter * Math.random());
  return Math.round(Math.min(Math.max(planned, retryAfterMs ?? 0), 2 * planned));
}
