/** Keeps the typed answer of each turn in the session storage of this tab until the server has stored it. */
export function createDrafts(enrolmentId: string) {
  const prefix = `draft ${enrolmentId} `;
  return {
    read: (turnId: string): string => attempt(() => sessionStorage.getItem(prefix + turnId)) ?? '',
    write: (turnId: string, text: string): void =>
      void attempt(() => sessionStorage.setItem(prefix + turnId, text)),
    remove: (turnId: string): void => void attempt(() => sessionStorage.removeItem(prefix + turnId)),
    /**
     * Removes the drafts of this candidate's other turns, which have been answered. Drafts of other candidates are kept,
     * because their answers may not have been sent yet.
     */
    keepOnly(turnId: string): void {
      attempt(() => {
        for (const key of Object.keys(sessionStorage))
          if (key.startsWith(prefix) && key !== prefix + turnId) sessionStorage.removeItem(key);
      });
    },
  };
}

/** Returns null if storage is blocked, because the browser then throws an error on every access. */
function attempt<Value>(work: () => Value): Value | null {
  try {
    return work();
  } catch {
    return null;
  }
}
