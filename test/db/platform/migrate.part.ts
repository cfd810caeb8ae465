import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { createDatabase } from '../../harness/platform/database';
import type { TestDatabase } from '../../harness/platform/database';

/*
 * Runs `npm run migrate` in its own process, on copies of the migrated template database or on empty ones. The
 * process uses a copy of dist/db, so that tests can add migrations.
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

const addMigration = (name: string, sql: string) =>
  writeFileSync(path.join(folder, 'db/migrations', name), sql);
const removeMigration = (name: string) => rmSync(path.join(folder, 'db/migrations', name));

/** Returns the lines that the command prints. */
const migrate = async (variables: NodeJS.ProcessEnv = {}): Promise<string[]> => {
  const { stdout } = await run(process.execPath, [path.join(folder, 'db/platform/migrate-command.js')], {
    env: { PATH: process.env['PATH'], ADMIN_DATABASE_URL: database.adminUrl, ...variables },
  });
  return stdout.split('\n').filter(Boolean);
};

/** Runs the migrations before `file`, then `fill`, then `file` and all later migrations. */
async function migrateAround(file: string, fill: () => Promise<unknown>): Promise<void> {
  const later = files().filter((each) => each >= file);
  for (const each of later) removeMigration(each);
  await migrate();
  await fill();
  for (const each of later)
    cpSync(path.join(root, 'db/migrations', each), path.join(folder, 'db/migrations', each));
  await migrate();
}

const files = () => readdirSync(path.join(root, 'db/migrations')).toSorted();
const migratedLines = () => files().map((file) => `migrated ${file}`);

describe('migrate, on an empty database', () => {
  beforeEach(async () => {
    database = await createDatabase({ isEmpty: true });
  });
  afterEach(() => database.drop());

  it('runs every file once, in order, in three concurrent processes, and only the two logins can connect', async () => {
    const printed = await Promise.all([migrate(), migrate(), migrate()]);
    expect(printed.flat()).toEqual(migratedLines());
    const tables = `select tablename from pg_tables where schemaname = 'public'`;
    const before = await database.rows(tables);
    expect(await migrate()).toEqual([]);
    expect(await database.rows(tables)).toEqual(before);
    expect(await database.rows('select name from migrations.migration order by id')).toEqual(
      files().map((name) => ({ name })),
    );
    const rights = `select r.rolname as name from pg_roles r where r.rolname like 'app\\_%'
      and has_database_privilege(r.rolname, current_database(), 'connect') order by 1`;
    expect(await database.rows(rights)).toEqual([
      { name: 'app_api_login' },
      { name: 'app_owner' },
      { name: 'app_worker_login' },
    ]);
  });

  it('readmits people who were withdrawn and invited again, and no others (0019)', async () => {
    let merchant: { id: string } | undefined;
    await migrateAround('0019', async () => {
      [merchant] = await database.rows<{ id: string }>(
        `insert into merchant (name) values ('Here'), ('Elsewhere') returning id`,
      );
      await database.rows(
        `with person as (
         insert into profile (merchant_id, role, email, email_key, name, activated_at, home_withdrawn_at)
         select case who when 'guest' then m.id else $1 end, 'merchant', who, who, 'Old name', now(),
           case who when 'guest' then null else now() end
         from unnest(array['back', 'gone', 'guest']) who, merchant m where m.id <> $1 returning id, email
       ), access as (
         insert into merchant_access (merchant_id, profile_id, role)
         select $1, id, 'merchant_selection' from person where email = 'back'
       )
       insert into audit_entry (merchant_id, environment, actor_id, actor_role, act, subject_id)
       select $1, 'production', id, 'merchant_owner', 'team-member-withdraw', id::text from person`,
        [merchant?.id],
      );
    });
    expect(
      await database.rows(
        `select p.email, p.role, p.name, p.home_withdrawn_at is null as is_member, w.merchant_id = $1 as is_withdrawn
         from profile p left join team_withdrawal w on w.profile_id = p.id order by p.email`,
        [merchant?.id],
      ),
    ).toEqual([
      { email: 'back', role: 'merchant_selection', name: 'Old name', is_member: true, is_withdrawn: null },
      { email: 'gone', role: 'merchant', name: 'Old name', is_member: false, is_withdrawn: true },
      { email: 'guest', role: 'merchant', name: 'Old name', is_member: true, is_withdrawn: true },
    ]);
    expect(await database.rows('select from merchant_access')).toEqual([]);
  });

  it('stores the default merchant of people and sessions, and which access was never accepted (0029)', async () => {
    await migrateAround('0029', () =>
      database.rows(
        `with merchant as (
           insert into merchant (name) values ('Home'), ('First'), ('Second') returning id, name
         ), person as (
           insert into profile (merchant_id, role, email, email_key, name, created_at, activated_at)
           select m.id, p.role, p.email, p.email, p.email, '2026-01-01', case when p.email <> 'pending' then date '2026-01-03' end
           from merchant m, (values
             ('recruiter', 'merchant'), ('learner', 'user'), ('invited', 'user'), ('pending', 'user'), ('candidate', 'candidate')
           ) p (email, role)
           where m.name = 'Home' returning id, email, merchant_id
         ), access as (
           insert into merchant_access (merchant_id, profile_id, role, created_at, team_since)
           select m.id, p.id, 'merchant', a.at::timestamptz, a.since::timestamptz
           from (values
             ('recruiter', 'First', '2026-01-04', '2026-01-04'), ('learner', 'First', '2026-01-05', '2026-01-06'),
             ('learner', 'Second', '2026-01-04', '2026-01-07'), ('invited', 'First', '2026-01-01', 'infinity'),
             ('invited', 'Second', '2026-01-04', '2026-01-04'), ('pending', 'First', '2026-01-02', '2026-01-02')
           ) a (email, name, at, since) join merchant m on m.name = a.name join person p on p.email = a.email
         )
         insert into session (profile_id, environment, bound_merchant_id, expires_at)
         select p.id, 'production', case when kind = 'bound' then p.merchant_id end,
           now() + case when kind = 'expired' then -1 else 1 end * interval '1 hour'
         from person p, unnest(array['own', 'bound', 'expired']) kind where kind = 'own' or p.email = 'learner'`,
      ),
    );
    expect(
      await database.rows(
        `select p.email, m.name as stored,
           array(
             select d.name from session s left join merchant d on d.id = s.default_merchant_id
             where s.profile_id = p.id order by s.expires_at, s.bound_merchant_id nulls first
           ) as sessions,
           array(
             select d.name || case when a.is_accepted then ' accepted ' else ' offered ' end || to_char(a.team_since, 'DD')
             from merchant_access a join merchant d on d.id = a.merchant_id where a.profile_id = p.id order by 1
           ) as access
         from profile p left join merchant m on m.id = p.default_merchant_id order by p.email`,
      ),
    ).toEqual([
      { email: 'candidate', stored: null, sessions: ['Home'], access: [] },
      {
        email: 'invited',
        stored: 'Second',
        sessions: ['Second'],
        access: ['First offered 01', 'Second accepted 04'],
      },
      {
        email: 'learner',
        stored: 'First',
        sessions: [null, 'First', 'Home'],
        access: ['First accepted 06', 'Second accepted 07'],
      },
      { email: 'pending', stored: 'First', sessions: ['First'], access: ['First offered 02'] },
      { email: 'recruiter', stored: 'Home', sessions: ['Home'], access: ['First accepted 04'] },
    ]);
  });
});

describe('migrate', () => {
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  it('runs as app_owner, which owns everything and limits what a file can do', async () => {
    const owners = `select distinct pg_get_userbyid(relowner) as owner from pg_class c
      join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('public', 'migrations')`;
    expect(await database.rows(owners)).toEqual([{ owner: 'app_owner' }]);
    addMigration('9999-too-much.sql', 'create role app_intruder superuser;');
    await expect(migrate()).rejects.toMatchObject({ stderr: expect.stringMatching(/permission denied/) });
    expect(await database.rows(`select from pg_roles where rolname = 'app_intruder'`)).toEqual([]);
    removeMigration('9999-too-much.sql');
  });

  it('passes question marks in a file on unchanged', async () => {
    addMigration(
      '9999-marks.sql',
      `create table mark (merchant_id uuid primary key, note text default 'why? ??', data jsonb check (data ? 'a' or data ?| '{b}'));`,
    );
    expect(await migrate()).toEqual(['migrated 9999-marks.sql']);
    expect(
      await database.rows(`insert into mark values (gen_random_uuid(), default, '{"a": 1}') returning note`),
    ).toEqual([{ note: 'why? ??' }]);
    await expect(
      database.rows(`insert into mark values (gen_random_uuid(), default, '{"c": 1}')`),
    ).rejects.toMatchObject({ code: '23514' });
  });

  it('rejects a file with a backslash before a question mark, which would be lost', async () => {
    addMigration('9999-lost.sql', `create table lost (note text check (note ~ 'why\\?'));`);
    await expect(migrate()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('write [?]') });
    removeMigration('9999-lost.sql');
  });

  it('exits with 1 and one sentence for a file that fails, keeps nothing of it, and runs it once it is corrected', async () => {
    addMigration('9999-half.sql', 'create table half (id int); select 1 / 0;');
    await expect(migrate()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The migrations failed:.*division by zero\n$/),
    });
    expect(await database.rows(`select to_regclass('half') as half`)).toEqual([{ half: null }]);
    addMigration('9999-half.sql', 'create table half (id int);');
    expect(await migrate()).toEqual(['migrated 9999-half.sql']);
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
