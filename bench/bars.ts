import { share } from './stack';

/**
 * Collects the figures that the bench must reach, and reports at the end which ones it missed. With a SHARE other than
 * 1, it only prints them.
 */
export function createBars() {
  const missed: string[] = [];
  return {
    /** Prints a figure that may be at most `limit`. */
    atMost(name: string, figure: number, limit: number, unit = ''): void {
      const isMet = share !== 1 || figure <= limit;
      const text = `${name.padEnd(58)} ${format(figure)}${unit} (at most ${format(limit)}${unit})`;
      console.log(`  ${text}${isMet ? '' : ' MISSED'}`);
      if (!isMet) missed.push(text);
    },
    /** Prints the figures that missed their limit. If there are any, the process exits with 1. */
    judge(): void {
      if (share !== 1) return console.log('\nthe bars are meant for SHARE=1, so they were not checked');
      console.log(missed.length === 0 ? '\nall bars are met' : `\nmissed:\n  ${missed.join('\n  ')}`);
      if (missed.length > 0) process.exitCode = 1;
    },
  };
}
export type Bars = ReturnType<typeof createBars>;

const format = (figure: number): string => (figure >= 10 ? figure.toFixed(1) : figure.toFixed(2));
