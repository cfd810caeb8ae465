import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import knex, { type Knex } from 'knex';
import { Client } from 'pg';

const folder = path.join(__dirname, '../migrations');

/**
 * The migrations are numbered SQL files and are never undone. Question marks in them are escaped, because knex.raw
 * reads `?` as a placeholder even without bindings.
 */
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
  // knex would silently drop this backslash and replace the question mark with $1.
  if (text.includes('\\?')) throw new Error('\na backslash before a question mark is lost, write [?]');
  return text.replaceAll('?', '\\?');
}

type MigrateSettings = {
  /** The address of the platform's database with the administrator's login. */
  adminUrl: string;
  /** The new passwords of `app_api_login` and `app_worker_login`. An undefined password stays unchanged. */
  apiPassword?: string;
  workerPassword?: string;
  log?: (line: string) => void;
};

/** The key of the lock that prevents two processes from migrating at the same time. The number is arbitrary. */
const migrationLock = 7_205_759;

/**
 * Creates missing roles, makes `app_owner` the owner of the database and runs the migrations as that role. Row-level
 * security does not apply to a superuser, so a superuser would not notice errors in it. Safe to repeat and to run in
 * two processes at once.
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
      // If a migration fails, knex would print the whole SQL file.
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
      // The error message of knex repeats the whole SQL file. The message from Postgres follows after the last line
      // break.
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

/**
 * Roles belong to the whole cluster. The lock is therefore taken in the `postgres` database, to which every process
 * can connect, whatever database it migrates.
 */
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
