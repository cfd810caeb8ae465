import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client, DatabaseError } from 'pg';
import { readSchemaFiles } from './schema-files';
import type { SchemaFile } from './schema-files';

type MigrateSettings = {
  /** The address of the platform's database with the administrator's login. */
  adminUrl: string;
  /** The new passwords of `app_api_login` and `app_worker_login`. An undefined password stays unchanged. */
  apiPassword?: string;
  workerPassword?: string;
  log?: (line: string) => void;
};

/** The reason why the database cannot be migrated, and what to do. */
export class DatabaseRefused extends Error {}

/** The key of the lock that prevents two processes from migrating at the same time. The number is arbitrary. */
const migrationLock = 7_205_759;

/**
 * Creates missing roles, makes `app_owner` the owner of the database and applies the SQL files as that role. Row-level
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
    const owner = new Client({ connectionString: adminUrl, options: '-c role=app_owner' });
    await owner.connect();
    try {
      for (const line of await applyFiles(owner)) log?.(line);
    } finally {
      await owner.end();
    }
  } finally {
    await admin.end();
  }
}

/**
 * Runs the migrations that are new to the database and the other files whose text has changed since they were applied,
 * all in one transaction: if a file fails, the database stays as it was. The transaction waits at most 10 s for a lock,
 * because calls that need the same table wait meanwhile. Returns what it did, a line per file.
 */
async function applyFiles(owner: Client): Promise<string[]> {
  const { beforeMigrations, migrations, afterMigrations } = readSchemaFiles();
  await owner.query('begin');
  await owner.query(`set local lock_timeout = '10s'`);
  await refuseOtherReleases(owner, migrations);
  await owner.query(readFileSync(path.join(__dirname, 'bookkeeping.sql'), 'utf8'));
  const lines = await applyChanged(owner, beforeMigrations);
  const done = await migratedNames(owner);
  for (const file of migrations.filter(({ name }) => !done.includes(name))) {
    await run(owner, file);
    await owner.query('insert into migrations.migration (name) values ($1)', [file.name]);
    lines.push(`migrated ${file.name}`);
  }
  lines.push(...(await applyChanged(owner, afterMigrations)));
  await owner.query('delete from migrations.schema_file where name <> all ($1)', [
    [...beforeMigrations, ...afterMigrations].map(({ name }) => name),
  ]);
  await owner.query('commit');
  return lines;
}

async function applyChanged(owner: Client, files: SchemaFile[]): Promise<string[]> {
  const { rows } = await owner.query<{ name: string; hash: string }>(
    'select name, hash from migrations.schema_file',
  );
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]));
  const changed = files.filter(({ name, hash }) => applied.get(name) !== hash);
  for (const file of changed) {
    await run(owner, file);
    await owner.query(
      `insert into migrations.schema_file (name, hash) values ($1, $2)
       on conflict (name) do update set hash = excluded.hash, applied_at = excluded.applied_at`,
      [file.name, file.hash],
    );
  }
  return changed.map(({ name }) => `applied ${name}`);
}

async function run(owner: Client, { name, text }: SchemaFile): Promise<void> {
  try {
    await owner.query(text);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    const line = error.position && `, line ${text.slice(0, Number(error.position)).split('\n').length}`;
    throw new Error(`The migration failed in ${name}${line ?? ''}: ${error.message}.`, { cause: error });
  }
}

/** Returns the names of the migrations that the database has had, none for an empty database. */
async function migratedNames(owner: Client): Promise<string[]> {
  const { rows: found } = await owner.query<{ exists: boolean }>(
    `select to_regclass('migrations.migration') is not null as exists`,
  );
  if (!found[0]?.exists) return [];
  const { rows } = await owner.query<{ name: string }>('select name from migrations.migration');
  return rows.map(({ name }) => name);
}

/**
 * Throws if the database has had a migration that this release does not know. A database that has had others but not the
 * first one is older than the first release, before which the first migrations were written anew. It cannot be migrated.
 */
async function refuseOtherReleases(owner: Client, migrations: SchemaFile[]): Promise<void> {
  const known = migrations.map(({ name }) => name);
  const done = await migratedNames(owner);
  const unknown = done.find((name) => !known.includes(name));
  if (done.length > 0 && !done.includes(known[0] ?? ''))
    throw new DatabaseRefused(
      'This database was created before the first release and cannot be migrated. Create an empty database and run the migration there. (`npm start -- --fresh` does both, and deletes its old data.)',
    );
  if (unknown !== undefined)
    throw new DatabaseRefused(
      `This database has had the migration ${unknown}, which this release does not know. Run the migration of the release that was last used.`,
    );
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
