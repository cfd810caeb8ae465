import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { migrate } from '../../db/platform/migrate';
import { withAdmin } from '../../db/platform/credentials';
import { startPostgres } from '../../local/postgres';
import type { RunningPostgres } from '../../local/postgres';
import { readProcess } from '../../local/process-table';
import { seed } from '../../local/seed';
import type { TestDatabase } from './database';
import { infrastructure } from './infrastructure';
import { waitFor } from './wait-for';
import { takePort } from './ports';

export type OwnPostgres = {
  /** Ends with the server: `drop` stops it. Its rows are read on a new connection each time. */
  database: TestDatabase;
  /** Fast shutdown, as a maintenance does it; resolves when the server is gone. */
  stop: () => Promise<void>;
  /** As a crash of the machine does it. */
  kill: () => Promise<void>;
  start: () => Promise<void>;
  /** Stops its processes where they are: connections stay, new ones are taken by the kernel, nothing answers. */
  freeze: () => Promise<void>;
  thaw: () => void;
};

/** A Postgres of a test's own, migrated and seeded, which it may stop and start again. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const folder = mkdtempSync(path.join(infrastructure().folder, 'own-'));
  chmodSync(folder, 0o711);
  const secret = () => randomBytes(16).toString('hex');
  const [password, apiPassword, workerPassword] = [secret(), secret(), secret()];
  const port = await takePort();
  let server: RunningPostgres;
  const start = async () => {
    server = await startPostgres({
      dataDir: path.join(folder, 'postgres'),
      port,
      password,
      database: 'platform',
      logFile: path.join(folder, 'postgres.log'),
    });
  };
  await start();
  const frozen: number[] = [];
  const freeze = (pid: number) => {
    process.kill(pid, 'SIGSTOP');
    frozen.push(pid);
  };
  const url = (user: string, secretOfUser: string) =>
    `postgres://${user}:${secretOfUser}@127.0.0.1:${port}/platform`;
  const adminUrl = url('postgres', password);
  await migrate({ adminUrl, apiPassword, workerPassword });
  await seed(adminUrl);
  return {
    database: {
      adminUrl,
      apiUrl: url('app_api_login', apiPassword),
      workerUrl: url('app_worker_login', workerPassword),
      rows: async <Row>(text: string, values?: unknown[]) => {
        const client = new Client({ connectionString: adminUrl });
        await client.connect();
        try {
          return (await client.query(text, values)).rows as Row[];
        } finally {
          await client.end();
        }
      },
      drop: () => server.stop(),
    },
    stop: () => server.stop(),
    kill: async () => {
      const others = await withAdmin(adminUrl, othersThan);
      server.kill();
      await server.ended;
      // They outlive it for a moment, in which one may answer what it had begun, or a whole read.
      others.forEach(endAtOnce);
      await waitFor('its other processes to be gone', async () => !others.some(isServing));
    },
    start,
    freeze: () =>
      withAdmin(adminUrl, async (client) => {
        // First the one that makes the others, which a connection of before it can still list.
        freeze(Number(readFileSync(path.join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]));
        for (const pid of await othersThan(client)) freeze(pid);
      }),
    thaw: () => {
      for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT');
    },
  };
}

/** The processes that serve connections or work behind them, but the one of this connection. */
async function othersThan(client: Client): Promise<number[]> {
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where pid <> pg_backend_pid()',
  );
  return rows.map(({ pid }) => pid);
}

function endAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

const isServing = (pid: number): boolean => readProcess(pid)?.command.startsWith('postgres') === true;
