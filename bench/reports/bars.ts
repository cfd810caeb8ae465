/** Collects what a run must reach, and says at its end what it missed. */
export function createBars() {
  const missed: string[] = [];
  return {
    /** Prints a figure that may be at most `limit`. */
    atMost(name: string, figure: number, limit: number, unit = ''): void {
      const isMet = figure <= limit;
      const text = `${name.padEnd(58)} ${format(figure)}${unit} (at most ${format(limit)}${unit})`;
      console.log(`  ${text}${isMet ? '' : ' MISSED'}`);
      if (!isMet) missed.push(text);
    },
    /** Prints the bars that were missed, and lets the process exit with 1 if there are any. */
    judge(): void {
      console.log(missed.length === 0 ? '\nall bars are met' : `\nmissed:\n  ${missed.join('\n  ')}`);
      if (missed.length > 0) process.exitCode = 1;
    },
  };
}
export type Bars = ReturnType<typeof createBars>;

const format = (figure: number): string => (figure >= 10 ? figure.toFixed(1) : figure.toFixed(2));
