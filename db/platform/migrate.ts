import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import knex, { type Knex } from 'knex';
import { Client } from 'pg';

const folder = path.join(__dirname, '../migrations');

/** Numbered SQL files, forward only. knex.raw would read `?` as a placeholder even without bindings. */
const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.sql'))
      .sort(),
  getMigrationName: (file) => file,
  getMigration: async (file) => ({
    up: (trx) => trx.raw(escapeMarks(readFileSync(path.join(folder, file), 'utf8'))),
    down: () => Promise.reject(new Error('migrations go forward only')),
  }),
};

function escapeMarks(text: string): string {
  // knex drops the backslash and puts $1 for the rest, without a word.
  if (text.includes('\\?')) throw new Error('\na backslash before a question mark is lost, write [?]');
  return text.replaceAll('?', '\\?');
}

export type MigrateSettings = {
  /** The administrator's login on the platform's database. */
  adminUrl: string;
  /** Set as the passwords of `app_api_login` and `app_worker_login`; undefined leaves them. */
  apiPassword?: string;
  workerPassword?: string;
  log?: (line: string) => void;
};

/** Any number: it keeps two migrating processes apart. */
const migrationLock = 7_205_759;

/**
 * Makes the roles that are missing, gives the database to `app_owner` and runs the migrations as that role:
 * a superuser would hide every fault of row-level security. Safe to run again and by two processes at once.
 */
export async function migrate({
  adminUrl,
  apiPassword,
  workerPassword,
  log,
}: MigrateSettings): Promise<void> {
  await makeRoles(adminUrl, apiPassword, workerPassword);
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query('select pg_advisory_lock($1)', [migrationLock]);
    const { rows } = await admin.query<{ name: string }>('select quote_ident(current_database()) as name');
    const database = rows[0]?.name ?? '';
    await admin.query(`alter database ${database} owner to app_owner`);
    await admin.query(`revoke all on database ${database} from public`);
    await admin.query(`grant connect on database ${database} to app_api_login, app_worker_login`);
    const owner = knex({
      client: 'pg',
      connection: { connectionString: adminUrl, options: '-c role=app_owner' },
      pool: { min: 1, max: 1 },
      // knex would print the whole file.
      log: { error: () => undefined },
    });
    try {
      await owner.raw('create schema if not exists migrations');
      const [, files] = (await owner.migrate.latest({
        migrationSource,
        schemaName: 'migrations',
        tableName: 'migration',
      })) as [number, string[]];
      for (const file of files) log?.(`migrated ${file}`);
    } catch (error) {
      // The message of a failed file is the file and, behind the last dash, Postgres' sentence.
      const sentence =
        error instanceof Error ? error.message.slice(error.message.lastIndexOf('\n') + 1) : String(error);
      throw new Error(`The migrations failed:${sentence}`, { cause: error });
    } finally {
      await owner.destroy();
    }
  } finally {
    await admin.end();
  }
}

/** Roles belong to the cluster, so the lock is taken in the one database every process can name. */
async function makeRoles(adminUrl: string, apiPassword?: string, workerPassword?: string): Promise<void> {
  const url = new URL(adminUrl);
  url.pathname = '/postgres';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(readFileSync(path.join(__dirname, 'roles.sql'), 'utf8'));
    await client.query(`do $$ begin
      if not (select rolsuper from pg_roles where rolname = current_user) then
        execute format('grant app_owner to %I', current_user);
      end if;
    end $$`);
    for (const [login, password] of [
      ['app_api_login', apiPassword],
      ['app_worker_login', workerPassword],
    ] as const)
      if (password !== undefined)
        await client.query(`alter role ${login} password ${client.escapeLiteral(password)}`);
  } finally {
    await client.end();
  }
}
