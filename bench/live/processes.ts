import { readFileSync } from 'node:fs';
import path from 'node:path';

/* What the processes of a stack cost. Only Linux has these files. */

const entries = { live: 'api/live/main.js', api: 'dist/api/main.js', worker: 'activities/main.js' } as const;
export type ProcessName = keyof typeof entries;

/** Returns the pid of a process of the stack in this folder, or undefined while it is being started again. */
export function pidOf(folder: string, name: ProcessName): number | undefined {
  const all = JSON.parse(readFileSync(path.join(folder, 'pids.json'), 'utf8')) as {
    pid: number;
    command: string;
  }[];
  return all.find(({ command }) => command.endsWith(entries[name]))?.pid;
}

/** Returns the seconds of processor time that a process has used. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Returns the memory of a process in MiB. */
export function memoryMiB(pid: number): number {
  const [, kib = 'NaN'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1_024;
}
