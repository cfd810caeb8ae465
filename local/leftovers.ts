import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { readProcess } from './process-table';
import { StartError } from './start-error';
import { waitUntil } from './wait-until';

const processRecord = z.object({ pid: z.int().positive(), startedAt: z.string() });
export type ProcessRecord = z.infer<typeof processRecord>;

/** Processes of a killed start end by themselves within this time. Any that remain are stuck. */
const patienceMs = 8_000;

/** Records the process in a file for a later start. Does nothing when the process has already ended. */
export function recordProcess(file: string, pid: number): void {
  const entry = readProcess(pid);
  if (!entry) return;
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify({ pid, startedAt: entry.startedAt }), { mode: 0o600 });
}

/** Reads a process record. Returns undefined when there is none or it was only partly written. */
export function readRecord(file: string): ProcessRecord | undefined {
  try {
    return processRecord.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Whether the recorded process itself still runs, and not another one with its number. */
export function isRunning({ pid, startedAt }: ProcessRecord): boolean {
  return readProcess(pid)?.startedAt === startedAt;
}

/**
 * Ends what a killed start left running, using the records in this folder, and removes the records. Most of these processes
 * are already ending because their supervisor is gone. Throws a StartError when one belongs to another user.
 */
export async function endLeftovers(folder: string): Promise<void> {
  const files = listNotes(folder);
  await Promise.all(
    files.map(async (file) => {
      const record = readRecord(file);
      if (record && isRunning(record)) await endProcess(record.pid, () => isRunning(record));
      rmSync(file, { force: true });
    }),
  );
}

/** Ends a process gracefully, then by force. Throws a StartError when it belongs to another user. */
export async function endProcess(
  pid: number,
  isThere: () => boolean,
  politeSignal: NodeJS.Signals = 'SIGTERM',
): Promise<void> {
  for (const signal of [politeSignal, 'SIGKILL'] as const) {
    if (!isThere()) return;
    try {
      process.kill(pid, signal);
    } catch {
      if (isThere())
        throw new StartError(
          `Process ${pid} of an earlier start still runs as another user: end it, or set LOCAL_DIR to another folder.`,
        );
    }
    if (await waitUntil(() => !isThere(), patienceMs)) return;
  }
  throw new StartError(
    `Process ${pid} of an earlier start cannot be ended: set LOCAL_DIR to another folder.`,
  );
}

function listNotes(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}
