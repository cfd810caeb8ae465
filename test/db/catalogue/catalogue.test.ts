import { Client } from 'pg';
import { createDatabase } from '../../harness/platform/database';
import type { TestDatabase } from '../../harness/platform/database';
import { listBreaches } from './catalogue';
import type { Ask } from './catalogue';
import { indexExceptions } from './index-exceptions';

let database: TestDatabase;
let admin: Client;
const ask: Ask = async <Row>(text: string, values?: unknown[]) =>
  (await admin.query(text, values)).rows as Row[];

beforeAll(async () => {
  database = await createDatabase();
  admin = new Client({ connectionString: database.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
});

describe('the Postgres system catalog', () => {
  it('has tables, policies and roles to check', async () => {
    const [counts] = await ask(`select
      (select count(*)::int from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r') >= 17 as tables,
      (select count(*)::int from pg_policies where schemaname = 'public') >= 50 as policies,
      (select count(*)::int from pg_roles where rolname like 'app\\_%') >= 10 as roles`);
    expect(counts).toEqual({ tables: true, policies: true, roles: true });
  });

  it('breaks no rule', async () => {
    expect(await listBreaches(ask)).toEqual([]);
  });

  it('gives every index exception a reason', () => {
    expect(Object.entries(indexExceptions).filter(([, reason]) => reason.length < 10)).toEqual([]);
  });
});

/**
 * Mistakes that an SQL file could make. Each entry has a description, the statement that makes the mistake, and the
 * message that `listBreaches` must return for it.
 */
const faults: [situation: string, statement: string, breach: string][] = [
  [
    'a table without row-level security',
    'create table note (merchant_id uuid primary key); alter table note owner to app_owner',
    'note: row-level security is not enabled and forced',
  ],
  [
    'row-level security that the owner bypasses',
    'alter table interview no force row level security',
    'interview: row-level security is not enabled and forced',
  ],
  [
    "a table of the administrator's",
    'create table note (merchant_id uuid primary key); alter table note enable row level security, force row level security',
    'note: is not owned by app_owner',
  ],
  [
    'a role that bypasses policies',
    'alter role app_worker bypassrls',
    'app_worker: is a superuser or bypasses row-level security, or may become one that does',
  ],
  [
    'a superuser for the worker, through the role that its login may become',
    'create role zz_super superuser; grant zz_super to app_worker',
    'app_worker_login: is a superuser or bypasses row-level security, or may become one that does',
  ],
  [
    'a role that can create roles',
    'alter role app_user createrole',
    'app_user: may create roles or databases, or inherits',
  ],
  [
    'a login that inherits a role',
    'grant app_user to app_api_login with inherit true',
    'app_api_login app_user: a login holds the rights of a role by itself',
  ],
  [
    'a login that may read a column',
    'grant select (id) on interview to app_api_login',
    'app_api_login interview: a login reaches a table without a scope',
  ],
  ['a grant to everybody', 'grant select on question to public', 'question: everybody has a right to it'],
  [
    'a grant of truncate',
    'grant truncate on question to app_worker',
    'question app_worker: truncate, references or trigger is granted',
  ],
  [
    'an update of the merchant',
    'grant update (merchant_id) on interview to app_user',
    'interview app_user: a whole row may be updated, or the column that says whose it is',
  ],
  [
    'a policy with a function of the row',
    'create policy note on interview for select to app_link using (lower(name) is not null)',
    'note: a policy calls a function of the row',
  ],
  [
    'a policy that reads the scope for every row',
    'create policy note on interview for select to app_link using (merchant_id = app.merchant_id())',
    'note: a policy calls a function of the row',
  ],
  [
    'a policy of every command',
    'create policy note on interview to app_link using (true)',
    'note: a policy is of every command or restrictive or of everybody',
  ],
  [
    'a restrictive policy of another role',
    'create policy note on interview as restrictive for select to app_link using (true)',
    'note: a policy is of every command or restrictive or of everybody',
  ],
  [
    'a table that shows a restricted person the rows of other positions',
    'drop policy enrolment_restricted_select on enrolment',
    'app_restricted select enrolment: shows the rows of every position',
  ],
  ['an enum', `create type app.mood as enum ('fine')`, 'mood: is an enum'],
  [
    'a view with the rights of its owner',
    'create view all_interviews as select id from interview',
    'all_interviews: is a view with the rights of its owner',
  ],
  [
    'a definer with the search path of its caller',
    'alter function app.discard_unbuilt_interview(uuid) reset search_path',
    'app.discard_unbuilt_interview(uuid): a security definer outside of schema app, or not of app_definer, or without an empty search_path',
  ],
  [
    "a definer of the owner's",
    'alter function app.discard_unbuilt_interview(uuid) owner to app_owner',
    'app.discard_unbuilt_interview(uuid): a security definer outside of schema app, or not of app_definer, or without an empty search_path',
  ],
  [
    'a function that everybody may call',
    `create function app.note() returns int language sql as 'select 1'`,
    'app.note(): everybody may call it',
  ],
  [
    'a table without an index that leads with merchant_id',
    'create table note (id uuid primary key, merchant_id uuid); grant select on note to app_user',
    'note: callers read it, and no index leads with merchant_id',
  ],
  [
    'a grant that db/platform/grants.ts does not know',
    'grant select (id) on model_call to app_user',
    'app_user select model_call: granted, and not in db/platform/grants.ts',
  ],
  [
    'a revoke that db/platform/grants.ts does not know',
    'revoke insert on question from app_service',
    'app_service insert question: in db/platform/grants.ts, and not granted',
  ],
  [
    'a grant without a policy',
    'drop policy question_caller_insert on question',
    'app_user insert question: granted without a policy',
  ],
  [
    'a policy without a grant',
    'create policy question_link_select on question for select to app_link using (true)',
    'app_link select question: a policy without a grant',
  ],
  [
    'a policy of another name',
    'alter policy question_caller_insert on question rename to question_insert',
    'question_insert: should be question_caller_insert',
  ],
  [
    'an index that leads with something else',
    'create index question__label on question (label)',
    'question__label: does not lead with merchant_id',
  ],
  [
    'an exception for an index that does not exist',
    'drop index interview__deadline_at',
    'interview__deadline_at: an exception that there is no such index for',
  ],
  [
    'an index of another name',
    'create index by_label on question (merchant_id, label)',
    'by_label: should be question__merchant_id_label',
  ],
];

describe('the checks of the system catalog', () => {
  beforeEach(() => admin.query('begin'));
  afterEach(() => admin.query('rollback'));

  it.each(faults)('report %s', async (_, statement, breach) => {
    await admin.query(statement);
    expect(await listBreaches(ask)).toContain(breach);
  });
});

describe('logins', () => {
  it.each(['apiUrl', 'workerUrl'] as const)('get 42501 for every table without a scope: %s', async (url) => {
    const tables = await ask<{ name: string }>(
      `select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    const login = new Client({ connectionString: database[url] });
    await login.connect();
    try {
      for (const { name } of tables)
        await expect(login.query(`select from ${name}`)).rejects.toMatchObject({ code: '42501' });
    } finally {
      await login.end();
    }
    expect(tables.length).toBeGreaterThan(16);
  });

  it('keep the API login from becoming a worker, and the worker login from becoming a caller', async () => {
    for (const [url, role] of [
      [database.apiUrl, 'app_worker'],
      [database.apiUrl, 'app_owner'],
      [database.apiUrl, 'app_definer'],
      [database.workerUrl, 'app_user'],
      [database.workerUrl, 'app_auth'],
    ] as const) {
      const login = new Client({ connectionString: url });
      await login.connect();
      try {
        await expect(login.query(`select app.begin_as($1, '1s')`, [role])).rejects.toMatchObject({
          code: '42501',
        });
      } finally {
        await login.end();
      }
    }
  });
});
