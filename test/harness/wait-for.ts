import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

const pollMs = 20;
/**
 * The limit of every wait. A wait that reaches it fails and names what it waited for. No test checks speed with this
 * limit.
 */
const patienceMs = 50_000;

/** Repeats `ask` until it returns something other than undefined or false, and returns this value. */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  limitMs = patienceMs,
): Promise<Exclude<T, undefined | false>> {
  const found = await until(what, ask, (answer) => answer !== undefined && answer !== false, limitMs);
  return found as Exclude<T, undefined | false>;
}

/**
 * Repeats `find` until `isSo` is true for its value, and returns the value. A number that still changes is progress,
 * so the limit starts again with each change.
 */
export async function until<T>(
  what: string,
  find: () => Promise<T> | T,
  isSo: (found: T) => boolean,
  limitMs = patienceMs,
): Promise<T> {
  let last: { found: T } | undefined;
  let givenUpAt = Date.now() + limitMs;
  for (;;) {
    const found = await inTime(what, attempt(what, find), givenUpAt - Date.now(), last);
    if (isSo(found)) return found;
    if (typeof found === 'number' && last !== undefined && found !== last.found)
      givenUpAt = Date.now() + limitMs;
    last = { found };
    if (Date.now() > givenUpAt) throw vainWait(what, last);
    await sleep(pollMs);
  }
}

/**
 * Settles as `promise` does. If `promise` has not settled within the limit, throws an error that contains `what`, the
 * description of the wait.
 */
export async function inTime<T>(
  what: string,
  promise: Promise<T>,
  limitMs = patienceMs,
  last?: { found: unknown },
): Promise<T> {
  const settled = new AbortController();
  // The global `setTimeout` is not used, because some tests replace it with a fake.
  const expired = sleep(Math.max(limitMs, pollMs), undefined, { signal: settled.signal }).then(() => {
    throw vainWait(what, last);
  });
  try {
    return await Promise.race([promise, expired]);
  } finally {
    settled.abort();
    expired.catch(() => undefined);
  }
}

async function attempt<T>(what: string, find: () => Promise<T> | T): Promise<T> {
  try {
    return await find();
  } catch (error) {
    throw new Error(`Waiting for ${what} failed: ${String(error)}`, { cause: error });
  }
}

function vainWait(what: string, last: { found: unknown } | undefined): Error {
  const seen = last === undefined ? 'the last look has not ended' : `last seen: ${inspect(last.found)}`;
  return new Error(`Waited in vain for ${what}; ${seen.slice(0, 2_000)}`);
}
