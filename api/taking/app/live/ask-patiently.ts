/**
 * The pauses between two calls for a speech that is not there yet, in milliseconds. A follow-up is rendered after it was asked,
 * and the server waits for it too. While the provider of voices is away, each question costs these calls out of the 60 that
 * a link has in a minute.
 */
const pausesMs = [400, 800, 1_600, 3_200];

/** Calls until there is a result, with growing pauses. Returns null if there is none in the end, or nobody needs it any more. */
export async function retryUntilResult<Result>(
  call: () => Promise<Result | null>,
  isNeeded: () => boolean,
): Promise<Result | null> {
  for (const pauseMs of pausesMs) {
    const result = await call();
    if (result !== null) return result;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (!isNeeded()) return null;
  }
  return call();
}
