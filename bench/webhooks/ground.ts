import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { migrate } from '../../db/platform/migrate';
import { databaseUrlFor } from '../../local/environments';
import { findFreePort } from '../../local/ports';
import { startPostgres } from '../../local/postgres';
import type { Secrets } from '../../local/secrets';
import { seed } from '../../local/seed';
import { end, nowhere, startWorker } from '../worker';
import { sealingKeys } from './rows';
import type { SinkReport } from './sink';

export type Seconds = { postgres: number; sink: number; senders: number };

export type Ground = Awaited<ReturnType<typeof openGround>>;

/**
 * Starts a separate Postgres with the demo's data, as `npm start` does, and the sink process that receives the
 * webhooks.
 */
export async function openGround() {
  const folder = mkdtempSync(path.join(tmpdir(), 'interview-platform-webhooks-'));
  chmodSync(folder, 0o711);
  const secret = () => randomBytes(16).toString('hex');
  const secrets: Secrets = {
    sealing_keys: sealingKeys,
    postgres_password: secret(),
    api_password: secret(),
    worker_password: secret(),
  };
  const port = await findFreePort();
  const postgres = await startPostgres({
    dataDir: path.join(folder, 'postgres'),
    port,
    password: secrets.postgres_password,
    logFile: path.join(folder, 'postgres.log'),
  });
  const adminUrl = postgres.adminUrl();
  await migrate({ adminUrl, apiPassword: secrets.api_password, workerPassword: secrets.worker_password });
  await seed(adminUrl);
  const postmaster = Number(
    readFileSync(path.join(postgres.dataDir, 'postmaster.pid'), 'utf8').split('\n')[0],
  );
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  const workerUrl = databaseUrlFor(adminUrl, 'app_worker_login', secrets.worker_password);
  const sink = fork(path.join(__dirname, 'sink.js'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [{ port: sinkPort }] = (await once(sink, 'message')) as [{ port: number }];
  const ask = async (question: 'count' | 'report'): Promise<SinkReport> => {
    sink.send(question);
    const [answer] = (await once(sink, 'message')) as [SinkReport];
    return answer;
  };
  const children = new Set<ChildProcess>();

  return {
    admin,
    sinkUrl: `http://127.0.0.1:${sinkPort}`,
    count: () => ask('count'),
    report: () => ask('report'),
    forget: async () => void sink.send('forget'),
    /** Empties the tables of deliveries and resets the sink. */
    clean: async () => {
      sink.send('forget');
      await admin.query(
        'truncate webhook_delivery, webhook_attempt, webhook_endpoint, webhook_lease cascade',
      );
    },
    states: async (): Promise<Record<string, number>> => {
      const { rows } = await admin.query<{ state: string; count: number }>(
        'select state, count(*)::int as count from webhook_delivery group by state',
      );
      return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
    },
    /** Starts a process from a file of `bench/webhooks/` and waits until it is ready. */
    start: async (entry: string, variables: NodeJS.ProcessEnv = {}, execArgv: string[] = []) => {
      const child = fork(path.join(__dirname, `${entry}.js`), {
        env: { PATH: process.env['PATH'], DATABASE_URL: workerUrl, ADMIN_URL: adminUrl, ...variables },
        execArgv: ['--enable-source-maps', ...execArgv],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      children.add(child);
      child.once('exit', () => children.delete(child));
      await once(child, 'message');
      return child;
    },
    /**
     * Starts the product's worker without a Temporal server, because first attempts do not need one. Does not wait until
     * it is ready.
     */
    startWorker: async () => {
      const child = await startWorker({ folder, secrets, adminUrl, temporalAddress: nowhere });
      children.add(child);
      child.once('exit', () => children.delete(child));
      return child;
    },
    /** Returns the CPU seconds that Postgres, the sink and the started processes have used so far. */
    cpuSeconds: (): Seconds => ({
      postgres: treeSeconds(postmaster),
      sink: ownSeconds(sink.pid),
      senders: [...children].reduce((sum, { pid }) => sum + ownSeconds(pid), 0),
    }),
    /** Returns the resident memory of the started processes in bytes. */
    residentBytes: () => [...children].reduce((sum, { pid }) => sum + readResidentBytes(pid ?? 0), 0),
    close: async () => {
      for (const child of children) await end(child, 'SIGKILL');
      await end(sink, 'SIGKILL');
      await admin.end();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function readResidentBytes(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes ?? 0) * 1_024;
}

const ticksPerSecond = 100;

/** Reads the CPU ticks (utime + stime) of a process from /proc: its own, and those of its children that have ended. */
function readTicks(pid: number): { parent: number; own: number; ended: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const at = (index: number) => fields[index] ?? 0;
    return { parent: at(1), own: at(11) + at(12), ended: at(13) + at(14) };
  } catch {
    return undefined;
  }
}

const ownSeconds = (pid: number | undefined): number => (readTicks(pid ?? 0)?.own ?? 0) / ticksPerSecond;

function treeSeconds(pid: number): number {
  const root = readTicks(pid);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readTicks(Number(name)))
    .filter((ticks) => ticks?.parent === pid)
    .reduce((sum, ticks) => sum + (ticks?.own ?? 0), 0);
  return ((root?.own ?? 0) + (root?.ended ?? 0) + children) / ticksPerSecond;
}
