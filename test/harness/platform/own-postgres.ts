import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { withAdmin } from '../../../db/platform/credentials';
import { migrate } from '../../../db/platform/migrate';
import { commandOf } from '../../../local/pid-file';
import { startPostgres } from '../../../local/postgres';
import type { RunningPostgres } from '../../../local/postgres';
import { removeCluster } from '../../../local/postgres-place';
import { seed } from '../../../local/seed';
import { waitFor } from '../wait-for';
import type { OwnDatabase } from './database';
import { infrastructure } from './infrastructure';
import { takePort } from './ports';

export type OwnPostgres = {
  /** The database of this server. `drop` stops the server. `rows` opens a new connection each time. */
  database: OwnDatabase;
  /** Stops the server in fast mode, as an operator does for maintenance. Resolves when the server is gone. */
  stop: () => Promise<void>;
  /** Kills the server, like a crash of the machine. */
  kill: () => Promise<void>;
  start: () => Promise<void>;
  /** Suspends the server's processes: open connections stay, the kernel accepts new ones, and nothing responds. */
  freeze: () => Promise<void>;
  thaw: () => void;
};

/** Starts a migrated and seeded Postgres for one test, so that the test can stop and start the server. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const folder = mkdtempSync(path.join(infrastructure().dataFolder, 'own-'));
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
      name: 'platform',
      adminUrl,
      apiUrl: url('app_api_login', apiPassword),
      workerUrl: url('app_worker_login', workerPassword),
      workerDirectUrl: url('app_worker_login', workerPassword),
      rows: async <Row>(text: string, values?: unknown[]) => {
        const client = new Client({ connectionString: adminUrl });
        await client.connect();
        try {
          return (await client.query(text, values)).rows as Row[];
        } finally {
          await client.end();
        }
      },
      disconnect: async () => undefined,
      drop: async () => {
        await server.stop();
        removeCluster(path.join(folder, 'postgres'));
      },
    },
    stop: () => server.stop(),
    kill: async () => {
      const others = await withAdmin(adminUrl, othersThan);
      server.kill();
      await server.ended;
      // When the main process of Postgres has ended, its other processes still run for a moment and could finish a
      // statement.
      others.forEach(endAtOnce);
      await waitFor('its other processes to be gone', async () => !others.some(isServing));
    },
    start,
    freeze: () =>
      withAdmin(adminUrl, async (client) => {
        // The main process of Postgres is frozen first, so that it starts no more processes. The connection that is
        // already open can still list the others.
        freeze(Number(readFileSync(path.join(server.dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]));
        for (const pid of await othersThan(client)) freeze(pid);
      }),
    thaw: () => {
      for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT');
    },
  };
}

/**
 * Returns the ids of the server's processes for connections and background work, except the process of this
 * connection.
 */
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
    // The process is already gone.
  }
}

const isServing = (pid: number): boolean => commandOf(pid).startsWith('postgres');
