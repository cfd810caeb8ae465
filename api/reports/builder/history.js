/** The undo history of a text: the earlier versions, and the versions that were undone. */
'use strict';
(() => {
  const own = (globalThis.reportBuilder ??= {});
  const maxSteps = 100;

  const createHistory = (now) => ({ past: [], now, future: [], what: '' });

  /** Adds a version. Successive changes of the same control, such as the letters of a title, are undone together. */
  function remember(history, now, what = '') {
    if (now === history.now) return history;
    if (what !== '' && what === history.what) return { ...history, now, future: [] };
    return { past: [...history.past, history.now].slice(-maxSteps), now, future: [], what };
  }

  function undo({ past, now, future, ...rest }) {
    if (past.length === 0) return { past, now, future, ...rest };
    return { past: past.slice(0, -1), now: past.at(-1), future: [now, ...future], what: '' };
  }

  function redo({ past, now, future, ...rest }) {
    if (future.length === 0) return { past, now, future, ...rest };
    return { past: [...past, now], now: future[0], future: future.slice(1), what: '' };
  }

  Object.assign(own, { createHistory, remember, undo, redo });
})();
