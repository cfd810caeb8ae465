import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { reasonOf } from './error-reason';
import { isRunning } from './leftovers';
import { readProcess } from './process-table';
import { StartError } from './start-error';

const lockContent = z.object({ pid: z.int().positive(), startedAt: z.string(), ending: z.boolean() });

/** A start whose npm was killed notices within this time and marks its lock as ending. */
const noticeMs = 2_000;
const endingMs = 12_000;
const pollMs = 100;

export interface Lock {
  /** Marks this start as ending, so that the next one waits instead of giving up. */
  markEnding(): void;
  release(): void;
}

/**
 * Locks the state folder for this process. The lock of a dead process is ignored, and an ending one is awaited. Throws a
 * StartError when another start keeps running.
 */
export async function takeLock(file: string): Promise<Lock> {
  const startedAt = readProcess(process.pid)?.startedAt ?? '';
  const write = (ending: boolean, flag: 'w' | 'wx') =>
    writeFileSync(file, JSON.stringify({ pid: process.pid, startedAt, ending }), { mode: 0o600, flag });
  const start = Date.now();
  for (;;) {
    try {
      write(false, 'wx');
      return { markEnding: () => write(true, 'w'), release: () => rmSync(file, { force: true }) };
    } catch (error) {
      if (reasonOf(error) !== 'EEXIST') throw error;
    }
    const holder = readLock(file);
    const waitedMs = Date.now() - start;
    if (holder && isRunning(holder)) {
      if (waitedMs > (holder.ending ? endingMs : noticeMs))
        throw new StartError(
          `npm start already runs with ${path.dirname(file)} (process ${holder.pid}): end it, ` +
            'or set LOCAL_DIR to another folder.',
        );
      await sleep(pollMs);
    } else if (holder || waitedMs > noticeMs) {
      rmSync(file, { force: true });
    } else {
      // Its writer may be between creating and filling the file.
      await sleep(pollMs);
    }
  }
}

function readLock(file: string): z.infer<typeof lockContent> | undefined {
  try {
    return lockContent.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
