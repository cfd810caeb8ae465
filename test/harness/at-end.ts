type Close = () => unknown;
/**
 * Jest hands `jest` to the modules that it loads. The global setup loads this module without Jest. What it starts outlives
 * the test files, also when these run in its process.
 */
const here = (typeof jest === 'undefined' ? {} : globalThis) as {
  endings?: { test: Close[]; file: Close[] };
};

/** Calls `close` when all tests of this file and their hooks have ended. The last one that was registered comes first. */
export const atEnd = (close: Close): void => void here.endings?.file.push(close);

/** Calls `close` when the running test and its hooks have ended. */
export const atEndOfTest = (close: Close): void => void here.endings?.test.push(close);

/** Returns a function that closes something once, however often it is called. */
export function once(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | undefined;
  return () => (closing ??= close());
}
