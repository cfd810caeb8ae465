/** The undo history of a text: the earlier versions, and the versions that were undone. */
export type History = { past: string[]; now: string; future: string[]; what: string };

const maxSteps = 100;

export const createHistory = (now: string): History => ({ past: [], now, future: [], what: '' });

/** Adds a version. Successive changes of the same control, such as the letters of a title, are undone together. */
export function addVersion(history: History, now: string, what = ''): History {
  if (now === history.now) return history;
  if (what !== '' && what === history.what) return { ...history, now, future: [] };
  return { past: [...history.past, history.now].slice(-maxSteps), now, future: [], what };
}

/** Returns to the version before. */
export function undo(history: History): History {
  const { past, now, future } = history;
  const last = past.at(-1);
  return last === undefined
    ? history
    : { past: past.slice(0, -1), now: last, future: [now, ...future], what: '' };
}

/** Returns to the version that was undone last. */
export function redo(history: History): History {
  const { past, now, future } = history;
  const [next, ...later] = future;
  return next === undefined ? history : { past: [...past, now], now: next, future: later, what: '' };
}
