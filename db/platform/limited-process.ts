import { existsSync } from 'node:fs';
import path from 'node:path';

type Limits = {
  /** Linux counts all memory that the process can write. Other systems do not enforce this limit. */
  memoryKb: number;
  /** Also ends a process whose parent has ended. */
  cpuSeconds?: number;
};

/**
 * Returns the command and its arguments that run a script in a process of its own, for native code that reads texts and
 * files from outside. A limit that is already lower stays. There is no core dump, because it would contain what the process
 * reads. If the machine runs out of memory, Linux ends this process first. Start it without environment variables, so that
 * it knows no secrets.
 */
export function limitedProcessCommand(
  { memoryKb, cpuSeconds }: Limits,
  ...nodeArguments: string[]
): [command: string, arguments: string[]] {
  const limited = [
    'ulimit -c 0',
    `ulimit -d ${memoryKb}`,
    ...(cpuSeconds === undefined ? [] : [`ulimit -t ${cpuSeconds}`]),
    '{ echo 1000 > /proc/self/oom_score_adj; } 2> /dev/null',
    'exec "$0" "$@"',
  ].join('; ');
  return ['/bin/sh', ['-c', limited, process.execPath, ...nodeArguments]];
}

const root = path.join(__dirname, '../..');

/**
 * Returns the path of the compiled script `name` in a folder of the product. Tests run from TypeScript files, so they use the
 * script of the build.
 */
export function compiledScript(folder: string, name: string): string {
  const beside = path.join(folder, name);
  return existsSync(beside) ? beside : path.join(root, 'dist', path.relative(root, folder), name);
}
