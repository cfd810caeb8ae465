import { Context } from '@temporalio/activity';

/**
 * Beats each second while the work runs; the signal ends the work when the activity is cancelled. The next attempt finds
 * what `progress` answered last.
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
