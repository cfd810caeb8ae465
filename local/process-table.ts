import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

export interface ProcessEntry {
  parent: number;
  /** Together with the pid this identifies one process forever. Pids alone are reused. */
  startedAt: string;
  command: string;
}

/** Returns the process with this pid, or undefined when there is none or only a zombie. */
export function readProcess(pid: number): ProcessEntry | undefined {
  return existsSync('/proc/self/stat') ? readFromProc(pid) : readFromPs(pid);
}

function readFromProc(pid: number): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses, which may itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent] = fields;
    const startedAt = fields[19];
    if (state === undefined || parent === undefined || startedAt === undefined) return undefined;
    if (state === 'Z' || state === 'X') return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { parent: Number(parent), startedAt, command };
  } catch {
    return undefined;
  }
}

const psLine = /^\s*(\d+)\s+(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/s;

function readFromPs(pid: number): ProcessEntry | undefined {
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'ppid=,state=,lstart=,command=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  });
  const [, parent, state, startedAt, command] = psLine.exec(stdout ?? '') ?? [];
  if (parent === undefined || state === undefined || startedAt === undefined || command === undefined)
    return undefined;
  if (state.startsWith('Z')) return undefined;
  return { parent: Number(parent), startedAt, command: command.trim() };
}
