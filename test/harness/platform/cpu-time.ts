/**
 * Returns the milliseconds of CPU that this process takes for some work, the minimum of up to six runs. Other
 * processes of the machine do not count, and neither does the compilation in the first run.
 */
export function cpuMilliseconds(work: () => void, enough: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 6 && least > enough; run++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
