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

/** Mistakes that an SQL file could make, each with what must be said about it. */
const faults: [statement: string, breach: string][] = [
  [
    'create table note (merchant_id uuid primary key); alter table note owner to app_owner',
    'note: row-level security is not enabled and forced',
  ],
  [
    'alter table interview no force row level security',
    'interview: row-level security is not enabled and forced',
  ],
  [
    'create table own (merchant_id uuid primary key); alter table own enable row level security, force row level security',
    'own: is not owned by app_owner',
  ],
  [
    'alter role app_worker bypassrls',
    'app_worker: is a superuser or bypasses row-level security, or may become one that does',
  ],
  [
    'create role zz_super superuser; grant zz_super to app_auth',
    'app_api_login: is a superuser or bypasses row-level security, or may become one that does',
  ],
  ['alter role app_user createrole', 'app_user: may create roles or databases, or inherits'],
  [
    'grant app_user to app_api_login with inherit true',
    'app_api_login app_user: a login holds the rights of a role by itself',
  ],
  [
    'grant select (id) on interview to app_worker_login',
    'app_worker_login interview: a login reaches a table without a scope',
  ],
  ['grant select on position_step to public', 'position_step: everybody has a right to it'],
  [
    'grant truncate on question to app_worker',
    'question app_worker: truncate, references or trigger is granted',
  ],
  [
    'grant update (merchant_id) on interview to app_user',
    'interview app_user: a whole row may be updated, or the column that says whose it is',
  ],
  [
    'create policy of_row on interview for select to app_link using (lower(name) is not null)',
    'of_row: a policy calls a function of the row',
  ],
  [
    'create policy scope on interview for select to app_link using (merchant_id = app.merchant_id())',
    'scope: a policy calls a function of the row',
  ],
  [
    'create policy every on interview to app_link using (true)',
    'every: a policy is of every command or restrictive or of everybody',
  ],
  [
    'create policy strict on interview as restrictive for select to app_link using (true)',
    'strict: a policy is of every command or restrictive or of everybody',
  ],
  [
    'drop policy enrolment_restricted_select on enrolment',
    'app_restricted select enrolment: shows the rows of every position',
  ],
  [`create type app.mood as enum ('fine')`, 'mood: is an enum'],
  [
    'create view all_interviews as select id from interview',
    'all_interviews: is a view with the rights of its owner',
  ],
  [
    'alter function app.discard_unbuilt_interview(uuid) reset search_path',
    'app.discard_unbuilt_interview(uuid): a security definer outside of schema app, or not of app_definer, or without an empty search_path',
  ],
  [
    'alter function app.has_jobs() owner to app_owner',
    'app.has_jobs(): a security definer outside of schema app, or not of app_definer, or without an empty search_path',
  ],
  [`create function app.note() returns int language sql as 'select 1'`, 'app.note(): everybody may call it'],
  [
    'create table unled (id uuid primary key, merchant_id uuid); grant select on unled to app_user',
    'unled: callers read it, and no index leads with merchant_id',
  ],
  [
    'grant select (id) on model_call to app_user',
    'app_user select model_call: granted, and not in db/platform/grants.ts',
  ],
  [
    'revoke insert on question from app_service',
    'app_service insert question: in db/platform/grants.ts, and not granted',
  ],
  ['drop policy question_caller_insert on question', 'app_user insert question: granted without a policy'],
  [
    'create policy question_link_select on question for select to app_link using (true)',
    'app_link select question: a policy without a grant',
  ],
  [
    'alter policy interview_caller_insert on interview rename to interview_insert',
    'interview_insert: should be interview_caller_insert',
  ],
  ['create index question__label on question (label)', 'question__label: does not lead with merchant_id'],
  [
    'drop index interview__deadline_at',
    'interview__deadline_at: an exception that there is no such index for',
  ],
  [
    'create index by_label on question (merchant_id, label)',
    'by_label: should be question__merchant_id_label',
  ],
];

describe('the checks of the system catalog', () => {
  it('report each of these mistakes', async () => {
    await admin.query('begin');
    for (const [statement] of faults) await admin.query(statement);
    const breaches = await listBreaches(ask);
    await admin.query('rollback');
    expect(faults.filter(([, breach]) => !breaches.includes(breach))).toEqual([]);
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
