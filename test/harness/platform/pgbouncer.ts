import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { findPostgresInstallation } from '../../../local/postgres-place';
import { startGuarded, waitUntilReady } from '../../../local/processes';
import type { RunningProcess } from '../../../local/processes';

/** Returns the PgBouncer program: PGBOUNCER_PATH, or `pgbouncer` on the PATH. Returns undefined if there is none. */
export function findPgbouncer(): string | undefined {
  const { PGBOUNCER_PATH, PATH = '' } = process.env;
  const folders = [...PATH.split(path.delimiter), '/usr/sbin'];
  return (
    PGBOUNCER_PATH ?? folders.map((folder) => path.join(folder, 'pgbouncer')).find((file) => existsSync(file))
  );
}

/** So few connections that the processes of a test share them. */
const poolSize = 5;

/**
 * Starts PgBouncer on 127.0.0.1 in front of a Postgres, with the settings of docs/operations.md. It serves every database
 * of this Postgres, and only the logins of the API and the worker. Throws if there is no program.
 */
export async function startPgbouncer({
  port,
  postgresPort,
  apiPassword,
  workerPassword,
  folder,
}: {
  port: number;
  postgresPort: number;
  apiPassword: string;
  workerPassword: string;
  folder: string;
}): Promise<RunningProcess & { port: number }> {
  const command = findPgbouncer();
  if (command === undefined) throw new Error('There is no pgbouncer: install it, or set PGBOUNCER_PATH.');
  const place = path.join(folder, `pgbouncer-${port}`);
  mkdirSync(place, { mode: 0o700 });
  const users = path.join(place, 'userlist.txt');
  const settings = path.join(place, 'pgbouncer.ini');
  writeFileSync(users, `"app_api_login" "${apiPassword}"\n"app_worker_login" "${workerPassword}"\n`, {
    mode: 0o600,
  });
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${postgresPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
max_prepared_statements = 500
default_pool_size = ${poolSize}
max_client_conn = 1000
query_wait_timeout = 5
server_login_retry = 1
`,
    { mode: 0o600 },
  );
  // PgBouncer refuses to run as root, as Postgres does.
  const { run } = findPostgresInstallation(path.join(folder, 'postgres'));
  if (run.uid !== undefined && run.gid !== undefined)
    for (const file of [place, users, settings]) chownSync(file, run.uid, run.gid);
  const running = startGuarded({
    name: 'pgbouncer',
    command,
    args: [settings],
    cwd: place,
    ...run,
    endSignals: ['SIGQUIT'],
    graceMs: 5_000,
    logFile: path.join(folder, `pgbouncer-${port}.log`),
  });
  await waitUntilReady(running, () => accepts(port));
  return { ...running, port };
}

/** Resolves if something accepts connections at this port. */
async function accepts(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}
