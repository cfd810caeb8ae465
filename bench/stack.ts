import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { findFreePort } from '../local/ports';
import type { StackDescription } from '../local/stack-file';

export type BenchStack = { stack: StackDescription; folder: string; stop: () => Promise<void> };

/** Starts a separate stack, like that of `npm start`, on free ports and in a temporary folder. */
export async function startBenchStack(variables: NodeJS.ProcessEnv = {}): Promise<BenchStack> {
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
  ];
  const ports = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, String(await findFreePort())])),
  );
  const child = fork(path.join(__dirname, '../local/start.js'), {
    env: {
      ...process.env,
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
    stack: JSON.parse(readFileSync(path.join(folder, 'stack.json'), 'utf8')) as StackDescription,
    folder,
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;

export const median = (values: number[]): number => {
  const sorted = [...values].toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};
