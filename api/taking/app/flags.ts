// If storage is blocked, the browser throws an error on every access.

/** Returns true if the tab keeps a flag of this name in its session storage. */
export function readFlag(key: string): boolean {
  try {
    return sessionStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

/** Keeps a flag in the tab's session storage, or removes it. */
export function writeFlag(key: string, isSet: boolean): void {
  try {
    if (isSet) sessionStorage.setItem(key, 'true');
    else sessionStorage.removeItem(key);
  } catch {
    // Without the flag, a reload asks again.
  }
}
