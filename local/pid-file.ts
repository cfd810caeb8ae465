import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { StartError } from './start-error';

/**
 * The recorded processes. The system can reuse a pid, so a running process counts as a recorded one only if its
 * command is also the same.
 */
const entries = z.array(z.object({ pid: z.int().positive(), command: z.string().min(1) }));
type Entry = z.infer<typeof entries>[number];

const patience = {
  /** How long to wait for an earlier `npm start` that is already ending. */
  endingMs: 5_000,
  /** How long the processes of a killed `npm start` may take to end by themselves. */
  orphansMs: 8_000,
};

export interface PidFile {
  add(pid: number): void;
  /** Removes a process that has ended. */
  drop(pid: number): void;
  remove(): void;
}

/**
 * Writes the file that lists this process and the processes of its stack. If the file exists, first waits for the end
 * of the `npm start` that wrote it, and kills its processes that still run. Throws a StartError if that `npm start`
 * does not end.
 */
export async function takePidFile(file: string, { endingMs, orphansMs } = patience): Promise<PidFile> {
  const [start, ...children] = readEntries(file);
  if (start && !(await waitUntil(() => !isRunning(start), endingMs)))
    throw new StartError(
      `npm start already runs with ${path.dirname(file)} (process ${start.pid}): end it, ` +
        'or set LOCAL_DIR to another folder.',
    );
  await waitUntil(() => !children.some(isRunning), orphansMs);
  for (const { pid } of children.filter(isRunning)) process.kill(-pid, 'SIGKILL');
  rmSync(file, { force: true });
  let own: Entry[] = [];
  let isRemoved = false;
  const write = (next: Entry[]) => {
    own = next;
    if (!isRemoved) writeFileSync(file, JSON.stringify(own), { mode: 0o600 });
  };
  const others = (pid: number) => own.filter((entry) => entry.pid !== pid);
  const add = (pid: number) => {
    const command = commandLineOf(pid);
    if (command !== '') write([...others(pid), { pid, command }]);
  };
  add(process.pid);
  return {
    add,
    drop: (pid) => write(others(pid)),
    remove: () => {
      isRemoved = true;
      rmSync(file, { force: true });
    },
  };
}

/** Returns the command line of a running process, or an empty text when there is none or only a zombie. */
export function commandLineOf(pid: number): string {
  if (!existsSync('/proc/self/cmdline'))
    return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

/** Resolves to true as soon as the condition holds, or to false if it does not hold within the limit. */
export async function waitUntil(condition: () => boolean, limitMs: number): Promise<boolean> {
  for (const deadline = Date.now() + limitMs; !condition(); await sleep(50))
    if (Date.now() >= deadline) return false;
  return true;
}

const isRunning = ({ pid, command }: Entry): boolean => commandLineOf(pid) === command;

/**
 * Reads the recorded processes. A damaged file counts as empty: the process that wrote it was killed while it wrote.
 */
function readEntries(file: string): Entry[] {
  try {
    return entries.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return [];
  }
}
