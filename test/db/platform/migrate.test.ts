import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { infrastructure } from '../../harness/infrastructure';

/*
 * The command of `npm run migrate` as processes of their own, on empty databases of the run's Postgres. Its files are
 * a copy of dist/db in which migrations can be added.
 */

const run = promisify(execFile);
const root = path.resolve(__dirname, '../../..');
const { postgresPort, postgresPassword } = infrastructure();
const urlOf = (database: string, user = 'postgres', password = postgresPassword) =>
  `postgres://${user}:${password}@127.0.0.1:${postgresPort}/${database}`;

let folder: string;
let database: string;
beforeEach(async () => {
  database = `migrate_${randomBytes(6).toString('hex')}`;
  await ask('postgres', `create database ${database}`);
  // Inside the checkout, so that its packages are found.
  mkdirSync(path.join(root, '.local'), { recursive: true });
  folder = mkdtempSync(path.join(root, '.local/migrate-test-'));
  cpSync(path.join(root, 'dist/db'), path.join(folder, 'db'), { recursive: true });
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await ask('postgres', `drop database ${database} with (force)`);
});

async function ask<Row>(name: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: urlOf(name) });
  await client.connect();
  try {
    return (await client.query(text, values)).rows as Row[];
  } finally {
    await client.end();
  }
}

const addMigration = (name: string, sql: string) =>
  writeFileSync(path.join(folder, 'db/migrations', name), sql);

/** The lines that the command prints. */
const migrate = async (variables: NodeJS.ProcessEnv = {}): Promise<string[]> => {
  const { stdout } = await run(process.execPath, [path.join(folder, 'db/platform/migrate-command.js')], {
    env: { PATH: process.env['PATH'], ADMIN_DATABASE_URL: urlOf(database), ...variables },
  });
  return stdout.split('\n').filter(Boolean);
};

const files = () => readdirSync(path.join(root, 'db/migrations')).toSorted();
const migratedLines = () => files().map((file) => `migrated ${file}`);
const tableCount = async () =>
  (await ask<{ count: number }>(database, `select count(*) from pg_tables where schemaname = 'public'`))[0]
    ?.count;

describe('migrate', () => {
  it('an empty database: every file once, in order; again: nothing', async () => {
    expect(await migrate()).toEqual(migratedLines());
    const before = await tableCount();
    expect(await migrate()).toEqual([]);
    expect(await tableCount()).toBe(before);
    expect(await ask(database, 'select name from migrations.migration order by id')).toEqual(
      files().map((name) => ({ name })),
    );
  });

  it('three processes at once: every file once altogether', async () => {
    const printed = await Promise.all([migrate(), migrate(), migrate()]);
    expect(printed.flat()).toEqual(migratedLines());
  });

  it('runs as app_owner: that role owns everything, and a file cannot do what it may not', async () => {
    await migrate();
    const owners = `select distinct pg_get_userbyid(relowner) as owner from pg_class c
      join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('public', 'migrations')`;
    expect(await ask(database, owners)).toEqual([{ owner: 'app_owner' }]);
    addMigration('9999-too-much.sql', 'create role app_intruder superuser;');
    await expect(migrate()).rejects.toMatchObject({ stderr: expect.stringMatching(/permission denied/) });
    expect(await ask(database, `select from pg_roles where rolname = 'app_intruder'`)).toEqual([]);
  });

  it('a file with question marks: they arrive as they are', async () => {
    await migrate();
    addMigration(
      '9999-marks.sql',
      `create table mark (merchant_id uuid primary key, note text default 'why? ??', data jsonb check (data ? 'a' or data ?| '{b}'));`,
    );
    expect(await migrate()).toEqual(['migrated 9999-marks.sql']);
    expect(
      await ask(database, `insert into mark values (gen_random_uuid(), default, '{"a": 1}') returning note`),
    ).toEqual([{ note: 'why? ??' }]);
    await expect(
      ask(database, `insert into mark values (gen_random_uuid(), default, '{"c": 1}')`),
    ).rejects.toMatchObject({ code: '23514' });
  });

  it('a file with a backslash before a question mark, which would be lost: refused', async () => {
    await migrate();
    addMigration('9999-lost.sql', `create table lost (note text check (note ~ 'why\\?'));`);
    await expect(migrate()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('write [?]') });
  });

  it('a file that fails: one sentence, exit 1, nothing of it stays, and mended it runs', async () => {
    await migrate();
    addMigration('9999-half.sql', 'create table half (id int); select 1 / 0;');
    await expect(migrate()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The migrations failed:.*division by zero\n$/),
    });
    expect(await ask(database, `select to_regclass('half') as half`)).toEqual([{ half: null }]);
    addMigration('9999-half.sql', 'create table half (id int);');
    expect(await migrate()).toEqual(['migrated 9999-half.sql']);
  });

  it('without its variable: one sentence that names it, exit 1', async () => {
    await expect(migrate({ ADMIN_DATABASE_URL: '' })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('ADMIN_DATABASE_URL'),
    });
  });

  it('leaves nobody but the two logins a way in', async () => {
    await migrate();
    const rights = `select r.rolname as name from pg_roles r
      where r.rolname like 'app\\_%' and has_database_privilege(r.rolname, $1, 'connect') order by 1`;
    expect(await ask(database, rights, [database])).toEqual([
      { name: 'app_api_login' },
      { name: 'app_owner' },
      { name: 'app_worker_login' },
    ]);
  });
});

describe('roles.sql', () => {
  const roles = `select rolname, rolcanlogin, rolinherit, rolsuper, rolbypassrls, rolcreatedb, rolcreaterole,
    array(
      select g.rolname || ' ' || m.inherit_option || ' ' || m.set_option || ' ' || m.admin_option
      from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = r.oid order by 1
    ) as member_of
    from pg_roles r where rolname like 'app\\_%' order by rolname`;

  it('run again: changes nothing', async () => {
    const before = await ask(database, roles);
    await ask(database, readFileSync(path.join(root, 'db/platform/roles.sql'), 'utf8'));
    expect(await ask(database, roles)).toEqual(before);
    expect(before).toHaveLength(11);
  });
});
