/** The most characters of a draft, which is also what the database takes. */
const maxCharacters = 20_000;

/** What was heard of an answer, in pieces of speech. */
export type HeardAnswer = ReturnType<typeof createHeardAnswer>;

/**
 * Begins the draft of an answer. It is not whole if this process did not hear the beginning, or has lost a piece: the
 * words of the recording then count and not these (docs/live.md#answers).
 */
export function createHeardAnswer(turnId: string, { isWhole }: { isWhole: boolean }) {
  /** The words of each piece; undefined while they are being written down. */
  const pieces = new Map<string, string | undefined>();
  let room = maxCharacters;
  let whenSettled: (() => void) | undefined;
  const isSettled = () => [...pieces.values()].every((words) => words !== undefined);
  const settle = () => {
    if (isSettled()) whenSettled?.();
  };
  return {
    turnId,
    get isWhole(): boolean {
      return isWhole;
    },
    isSettled,
    /** A piece of speech has begun. */
    begin: (piece: string): void => void pieces.set(piece, undefined),
    /** Stores the words of a piece. Null means that they are lost. Returns false for a piece of another answer. */
    write(piece: string, words: string | null): boolean {
      if (!pieces.has(piece)) return false;
      if (words === null) isWhole = false;
      const kept = (words ?? '').trim().slice(0, Math.max(0, room));
      room -= kept.length + 1;
      pieces.set(piece, kept);
      settle();
      return true;
    },
    /** Records that sound was lost. The words that are still awaited do not come any more. */
    lose(): void {
      isWhole = false;
      for (const [piece, words] of pieces) if (words === undefined) pieces.set(piece, '');
      settle();
    },
    text: (): string => [...pieces.values()].filter(Boolean).join(' '),
    /** Waits until all words are there, or for `limitMs`. */
    settled: (limitMs: number): Promise<void> =>
      isSettled()
        ? Promise.resolve()
        : new Promise((resolve) => {
            const timer = setTimeout(resolve, limitMs);
            whenSettled = () => {
              clearTimeout(timer);
              resolve();
            };
          }),
  };
}
