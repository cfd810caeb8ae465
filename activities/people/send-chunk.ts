const atOnce = 20;
/** After this many consecutive failures, the cause is assumed to be the provider and not the mails. */
const maxFailuresInARow = 3;

/** What became of a mail or message. `queued` means that it will be tried again. */
type Outcome = { state: string; retryAfterMs: number };

/**
 * Sends 20 mails or messages at a time. If the provider has a problem or the worker stops, `putBack` makes the outcome of
 * each remaining one, which is then queued again.
 */
export async function sendChunk<Item, Sent extends Outcome>(
  items: readonly Item[],
  send: (item: Item) => Promise<Sent>,
  putBack: (item: Item) => Sent,
  signal: AbortSignal,
): Promise<Sent[]> {
  const outcomes: Sent[] = [];
  const queue = [...items];
  let failuresInARow = 0;
  let mustWait = false;
  const lane = async () => {
    for (let item = queue.shift(); item; item = queue.shift()) {
      if (failuresInARow >= maxFailuresInARow || mustWait || signal.aborted) {
        outcomes.push(putBack(item));
        continue;
      }
      const outcome = await send(item);
      outcomes.push(outcome);
      failuresInARow = outcome.state === 'queued' ? failuresInARow + 1 : 0;
      mustWait ||= outcome.retryAfterMs > 0;
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  return outcomes;
}
