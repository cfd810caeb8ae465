import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { readSchemaFiles } from '../../../db/platform/schema-files';
import { createDatabase } from '../../harness/platform/database';
import type { TestDatabase } from '../../harness/platform/database';

/*
 * Runs `npm run migrate` in its own process, on copies of the migrated template database or on empty ones. The
 * process uses a copy of dist/db, so that tests can change its files.
 */

const run = promisify(execFile);
const root = path.resolve(__dirname, '../../..');

let folder: string;
let database: TestDatabase;
beforeAll(() => {
  // Imports of packages are resolved only from a folder inside the repository.
  mkdirSync(path.join(root, '.local'), { recursive: true });
  folder = mkdtempSync(path.join(root, '.local/migrate-test-'));
  cpSync(path.join(root, 'dist/db'), path.join(folder, 'db'), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

const inCopy = (name: string) => path.join(folder, 'db', name);
const write = (name: string, sql: string) => writeFileSync(inCopy(name), sql);
const remove = (name: string) => rmSync(inCopy(name));
/** Changes a file of the copy, and returns a function that restores it. */
const change = (name: string, edit: (text: string) => string) => {
  const text = readFileSync(inCopy(name), 'utf8');
  write(name, edit(text));
  return () => write(name, text);
};

/** Returns the lines that the command prints. */
const migrate = async (variables: NodeJS.ProcessEnv = {}): Promise<string[]> => {
  const { stdout } = await run(process.execPath, [path.join(folder, 'db/platform/migrate-command.js')], {
    env: { PATH: process.env['PATH'], ADMIN_DATABASE_URL: database.adminUrl, ...variables },
  });
  return stdout.split('\n').filter(Boolean);
};

describe('migrate, on an empty database', () => {
  beforeEach(async () => {
    database = await createDatabase({ isEmpty: true });
  });

  it('applies every file once, in order, in three concurrent processes, and only the two logins can connect', async () => {
    const printed = await Promise.all([migrate(), migrate(), migrate()]);
    const { beforeMigrations, migrations, afterMigrations } = readSchemaFiles();
    expect(printed.flat()).toEqual([
      ...beforeMigrations.map(({ name }) => `applied ${name}`),
      ...migrations.map(({ name }) => `migrated ${name}`),
      ...afterMigrations.map(({ name }) => `applied ${name}`),
    ]);
    expect(await migrate()).toEqual([]);
    const rights = `select r.rolname as name from pg_roles r where r.rolname like 'app\\_%'
      and has_database_privilege(r.rolname, current_database(), 'connect') order by 1`;
    expect(await database.rows(rights)).toEqual([
      { name: 'app_api_login' },
      { name: 'app_owner' },
      { name: 'app_worker_login' },
    ]);
  });
});

describe('migrate', () => {
  beforeAll(async () => {
    database = await createDatabase();
  });

  it('runs as app_owner, which owns everything and limits what a file can do', async () => {
    const owners = `select distinct pg_get_userbyid(relowner) as owner from pg_class c
      join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('public', 'migrations')`;
    expect(await database.rows(owners)).toEqual([{ owner: 'app_owner' }]);
    write('migrations/9999-too-much.sql', 'create role app_intruder superuser;');
    await expect(migrate()).rejects.toMatchObject({ stderr: expect.stringMatching(/permission denied/) });
    expect(await database.rows(`select from pg_roles where rolname = 'app_intruder'`)).toEqual([]);
    remove('migrations/9999-too-much.sql');
  });

  it('keeps nothing if a file fails, says where, and continues once the file is corrected', async () => {
    write('migrations/9999-half.sql', 'create table half (merchant_id uuid);');
    const restore = change('support/sql/support.sql', (text) => `${text}\nselect\n  wrong_column;\n`);
    const line = readFileSync(inCopy('support/sql/support.sql'), 'utf8').trimEnd().split('\n').length;
    await expect(migrate()).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: `The migration failed in support/sql/support.sql, line ${line}: column "wrong_column" does not exist.\n`,
    });
    expect(await database.rows(`select to_regclass('half') as half`)).toEqual([{ half: null }]);
    restore();
    expect(await migrate()).toEqual(['migrated 9999-half.sql']);
    expect(await migrate()).toEqual([]);
  });

  it('applies a changed file again: functions are replaced, other policies and grants are removed', async () => {
    const restore = [
      change('support/sql/support.sql', (text) =>
        text.replace("interval '24 hours' end;", "interval '23 hours' end;"),
      ),
      change('support/sql/access.sql', () =>
        [
          "call pg_temp.reset_access('feature_request');",
          'create policy feature_request_user_delete on feature_request for delete to app_user using (false);',
          'grant delete on feature_request to app_user;',
        ].join('\n'),
      ),
    ];
    const state = async () => [
      ...(await database.rows(`select prosrc like '%23 hours%' as is_changed, pg_get_userbyid(proowner) as owner
        from pg_proc where proname = 'lock_daily_limit'`)),
      ...(await database.rows(
        `select array_agg(distinct policyname::text) as policies from pg_policies where tablename = 'feature_request'`,
      )),
      ...(await database.rows(`select
        has_table_privilege('app_user', 'feature_request', 'delete') as deletes,
        has_any_column_privilege('app_worker', 'feature_request', 'select, update') as works`)),
    ];
    const before = await state();
    expect(await migrate()).toEqual(['applied support/sql/support.sql', 'applied support/sql/access.sql']);
    expect(await state()).toEqual([
      { is_changed: true, owner: 'app_definer' },
      { policies: ['feature_request_user_delete'] },
      { deletes: true, works: false },
    ]);
    for (const each of restore) each();
    expect(await migrate()).toEqual(['applied support/sql/support.sql', 'applied support/sql/access.sql']);
    expect(await state()).toEqual(before);
  });

  it('applies a renamed file once, and a file again whose row a migration has deleted', async () => {
    const names = () =>
      database.rows(`select name from migrations.schema_file where name like 'support/%' order by 1`);
    renameSync(inCopy('support/sql/support.sql'), inCopy('support/sql/limits.sql'));
    expect(await migrate()).toEqual(['applied support/sql/limits.sql']);
    expect(await names()).toEqual([{ name: 'support/sql/access.sql' }, { name: 'support/sql/limits.sql' }]);
    renameSync(inCopy('support/sql/limits.sql'), inCopy('support/sql/support.sql'));
    await migrate();
    write(
      'migrations/9999-signature.sql',
      `drop function app.list_own_companies; delete from migrations.schema_file where name = 'support/sql/support.sql';`,
    );
    expect(await migrate()).toEqual(['migrated 9999-signature.sql', 'applied support/sql/support.sql']);
    expect(await database.rows(`select to_regproc('app.list_own_companies') is not null as exists`)).toEqual([
      { exists: true },
    ]);
  });

  it.each([
    [
      'of before the first release',
      ['0001-platform-tables.sql', '0001-platform.sql'],
      /^This database was created before the first release and cannot be migrated\. Create an empty database/,
    ],
    [
      'of a newer release',
      ['0014-agents-tables.sql', '9999-newer.sql'],
      /^This database has had the migration 9999-newer\.sql, which this release does not know\./,
    ],
  ])('refuses a database %s, and changes nothing in it', async (_what, [known, other], sentence) => {
    const rename = (from = '', to = '') =>
      database.rows('update migrations.migration set name = $2 where name = $1 returning name', [from, to]);
    const restore = change('support/sql/support.sql', (text) => `${text}\nselect 1;\n`);
    expect(await rename(known, other)).toHaveLength(1);
    await expect(migrate()).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(sentence) });
    await rename(other, known);
    restore();
    expect(await migrate()).toEqual([]);
  });

  it('exits with 1 and one sentence that names the missing variable', async () => {
    await expect(migrate({ ADMIN_DATABASE_URL: '' })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('ADMIN_DATABASE_URL'),
    });
  });

  const roles = `select rolname, rolcanlogin, rolinherit, rolsuper, rolbypassrls, rolcreatedb, rolcreaterole,
    array(
      select g.rolname || ' ' || m.inherit_option || ' ' || m.set_option || ' ' || m.admin_option
      from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = r.oid order by 1
    ) as member_of
    from pg_roles r where rolname like 'app\\_%' order by rolname`;

  it('changes no role when roles.sql runs again', async () => {
    const before = await database.rows(roles);
    await database.rows(readFileSync(path.join(root, 'db/platform/roles.sql'), 'utf8'));
    expect(await database.rows(roles)).toEqual(before);
    expect(before).toHaveLength(14);
  });
});
