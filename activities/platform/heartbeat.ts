import { Context } from '@temporalio/activity';

/**
 * Sends a heartbeat every second while the work runs. The signal aborts when the activity is cancelled. The next
 * attempt of the activity can read the last value that `progress` returned.
 */
export async function withHeartbeat<T>(
  work: (signal: AbortSignal) => Promise<T>,
  progress: () => unknown = () => undefined,
): Promise<T> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(progress()), 1_000);
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(beat);
  }
}
