import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { findFreePort } from '../local/ports';
import type { StackDescription } from '../local/stack-file';

/** SHARE scales the counts, rounds and times of a bench, for example 0.1. The bars are meant for 1. */
export const share = Number(process.env['SHARE'] || 1);
if (!(share > 0)) throw new Error('SHARE must be a number above 0, such as 0.1.');

/** Returns the share of a count, or of a time in milliseconds, as a whole number of at least 1. */
export const scaled = (count: number): number => Math.max(1, Math.ceil(count * share));

/** How long autocannon calls: these seconds times SHARE, or once on each connection with a SHARE as small as in the tests. */
export const loadFor = (seconds: number, connections: number) =>
  share < 0.01 ? { amount: connections } : { duration: scaled(seconds) };

export type BenchStack = { stack: StackDescription; folder: string; stop: () => Promise<void> };

/**
 * Starts a separate stack, like that of `npm start`, on free ports and in a temporary folder. If BENCH_STACK names the
 * folder of a running stack, the bench uses that one instead, with the variables that it was started with. The bench
 * leaves rows in it, so it can run there only once.
 */
export async function startBenchStack(
  variables: NodeJS.ProcessEnv = {},
  inherited: NodeJS.ProcessEnv = process.env,
): Promise<BenchStack> {
  const running = process.env['BENCH_STACK'];
  if (running) return { stack: readStack(running), folder: running, stop: async () => undefined };
  const folder = mkdtempSync(path.join(tmpdir(), 'interview-platform-bench-'));
  chmodSync(folder, 0o711);
  const names = [
    'POSTGRES_PORT',
    'TEMPORAL_PORT',
    'TEMPORAL_UI_PORT',
    'FAKES_PORT',
    'PORT',
    'METRICS_PORT',
    'WORKER_METRICS_PORT',
    'LIVE_PORT',
    'LIVE_METRICS_PORT',
  ];
  const ports = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, String(await findFreePort())])),
  );
  const child = fork(path.resolve('dist/local/start.js'), {
    env: {
      ...inherited,
      ...ports,
      LOCAL_DIR: folder,
      DEMO_HISTORY: 'off',
      ADDRESS_LIMIT_PER_MINUTE: '0',
      ...variables,
    },
    execArgv: ['--enable-source-maps'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  await new Promise<void>((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Ctrl-C ends everything')) resolve();
    });
    child.once('exit', () => reject(new Error(`the stack did not start: ${output}`)));
  });
  return {
    stack: readStack(folder),
    folder,
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const readStack = (folder: string) =>
  JSON.parse(readFileSync(path.join(folder, 'stack.json'), 'utf8')) as StackDescription;

/** Returns what the figures of a bench depend on: the machine, and SHARE if it is not 1. */
export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}${share === 1 ? '' : `, SHARE ${share}`}`;

export const median = (values: number[]): number => {
  const sorted = [...values].toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};
