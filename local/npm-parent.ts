import { readProcess } from './process-table';

const checkMs = 250;

/**
 * Calls back once when the npm that started this process is gone. A killed npm forwards no signal, and no Ctrl-C would
 * reach the stack any more. Does nothing when npm did not start this process.
 */
export function watchNpm(onVanished: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const grandparent = shellParent(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && (grandparent === undefined || readProcess(parent)?.parent === grandparent))
      return;
    clearInterval(timer);
    onVanished();
  }, checkMs);
  timer.unref();
}

/** npm runs a script with `sh -c`. Some shells do not replace themselves with the command, and then npm is one level up. */
function shellParent(pid: number): number | undefined {
  const entry = readProcess(pid);
  return entry && /^\S*sh -c /.test(entry.command) ? entry.parent : undefined;
}
