import { Context } from '@temporalio/activity';

/** Beats each second while the work runs; the signal ends the work when the activity is cancelled. */
export async function withHeartbeat<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), 1_000);
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(beat);
  }
}
