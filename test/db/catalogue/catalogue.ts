import { grants } from '../../../db/platform/grants';
import { indexExceptions } from './index-exceptions';

/** Runs a query on the system catalogs of Postgres. */
export type Ask = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

const schemas = `('public', 'app')`;

/**
 * Rules of docs/architecture.md#rules-of-the-database. Each query returns the names of the objects that violate its
 * rule.
 */
const rules: { breach: string; query: string }[] = [
  {
    breach: 'row-level security is not enabled and forced',
    query: `select c.oid::regclass::text as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and not (c.relrowsecurity and c.relforcerowsecurity)`,
  },
  {
    breach: 'is not owned by app_owner',
    query: `select c.oid::regclass::text as name from pg_class c
      where c.relnamespace in (select oid from pg_namespace where nspname in ${schemas}) and c.relkind in ('r', 'p', 'v', 'm', 'S')
        and pg_get_userbyid(c.relowner) <> 'app_owner'`,
  },
  {
    breach: 'is a superuser or bypasses row-level security, or may become one that does',
    query: `select r.rolname as name from pg_roles r where r.rolname like 'app\\_%'
      and exists (select from pg_roles p where (p.rolsuper or p.rolbypassrls) and pg_has_role(r.oid, p.oid, 'member'))`,
  },
  {
    breach: 'may create roles or databases, or inherits',
    query: `select rolname as name from pg_roles where rolname like 'app\\_%'
      and (rolcreaterole or rolcreatedb or rolreplication or rolinherit)`,
  },
  {
    breach: 'a login holds the rights of a role by itself',
    query: `select l.rolname || ' ' || r.rolname as name from pg_roles l, pg_roles r
      where l.rolname like 'app\\_%' and r.rolname like 'app\\_%' and l.oid <> r.oid and pg_has_role(l.oid, r.oid, 'usage')
        -- app_restricted may inherit from app_user, because its restrictive policies also apply to inherited rights.
        and (l.rolname, r.rolname) <> ('app_restricted', 'app_user')`,
  },
  {
    breach: 'a login reaches a table without a scope',
    query: `select r.rolname || ' ' || c.relname as name from pg_roles r, pg_class c
      where r.rolname in ('app_api_login', 'app_worker_login') and c.relnamespace = 'public'::regnamespace
        and c.relkind in ('r', 'p', 'v', 'm')
        and (has_table_privilege(r.oid, c.oid, 'select, insert, update, delete, truncate')
          or has_any_column_privilege(r.oid, c.oid, 'select, insert, update'))`,
  },
  {
    breach: 'everybody has a right to it',
    query: `select c.relname as name from pg_class c, aclexplode(c.relacl) a
      where c.relnamespace = 'public'::regnamespace and a.grantee = 0
      union select c.relname || '.' || t.attname from pg_class c join pg_attribute t on t.attrelid = c.oid, aclexplode(t.attacl) a
      where c.relnamespace = 'public'::regnamespace and a.grantee = 0`,
  },
  {
    breach: 'truncate, references or trigger is granted',
    query: `select c.relname || ' ' || pg_get_userbyid(a.grantee) as name from pg_class c, aclexplode(c.relacl) a
      where c.relnamespace = 'public'::regnamespace and a.grantee <> c.relowner
        and a.privilege_type not in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')`,
  },
  {
    breach: 'a whole row may be updated, or the column that says whose it is',
    query: `select distinct c.relname || ' ' || r.rolname as name from pg_class c join pg_roles r on r.rolname like 'app\\_%'
      left join pg_attribute t on t.attrelid = c.oid and t.attname in ('merchant_id', 'environment')
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and r.rolname <> 'app_owner'
        -- app.accept_invitation moves an account that was never activated to the merchant whose invitation is accepted.
        and not (c.relname = 'profile' and r.rolname = 'app_definer' and not has_table_privilege(r.oid, c.oid, 'update'))
        and (has_table_privilege(r.oid, c.oid, 'update') or has_column_privilege(r.oid, c.oid, t.attnum, 'update'))`,
  },
  {
    breach: 'a policy calls a function of the row',
    query: `select policyname as name from pg_policies where schemaname = 'public'
      and regexp_replace(concat_ws(' ', qual, with_check), '\\( SELECT app\\.[a-z_]+\\(\\) AS [a-z_]+\\)', '', 'g') ~ '[a-z_]+\\('`,
  },
  {
    breach: 'a policy is of every command or restrictive or of everybody',
    query: `select policyname as name from pg_policies
      where schemaname = 'public' and (cmd = 'ALL' or 'public' = any (roles)
        or permissive <> case when roles = '{app_restricted}' then 'RESTRICTIVE' else 'PERMISSIVE' end)`,
  },
  {
    breach: 'is an enum',
    query: `select t.typname as name from pg_type t join pg_namespace n on n.oid = t.typnamespace
      where t.typtype = 'e' and n.nspname in ${schemas}`,
  },
  {
    breach: 'is a view with the rights of its owner',
    query: `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ${schemas} and (c.relkind = 'm'
        or c.relkind = 'v' and not coalesce(c.reloptions, '{}') && array['security_invoker=true', 'security_invoker=on'])`,
  },
  {
    breach:
      'a security definer outside of schema app, or not of app_definer, or without an empty search_path',
    // `keep_webhook_partitions` may belong to the owner of the tables, because only the owner can create and drop
    // partitions. It reads no rows.
    query: `select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where p.prosecdef and n.nspname not in ('pg_catalog', 'information_schema') and not (n.nspname = 'app'
        and pg_get_userbyid(p.proowner) =
          case when p.proname = 'keep_webhook_partitions' then 'app_owner' else 'app_definer' end and coalesce(p.proconfig, '{}') @> array['search_path=""'])`,
  },
  {
    breach: 'everybody may call it',
    query: `select p.oid::regprocedure::text as name
      from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
      where p.pronamespace in (select oid from pg_namespace where nspname in ${schemas}) and a.grantee = 0`,
  },
  {
    breach: 'callers read it, and no index leads with merchant_id',
    query: `select c.relname as name from pg_class c join pg_attribute t on t.attrelid = c.oid and t.attname = 'merchant_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'idempotency_key'
        and has_any_column_privilege('app_user', c.oid, 'select')
        and not exists (select from pg_index i where i.indrelid = c.oid and i.indkey[0] = t.attnum)`,
  },
];

/**
 * Tables whose rows belong to no position (docs/identity.md#positions-of-hiring-managers), so that a restricted
 * hiring manager reads them like other callers. All other tables that callers read need a policy
 * `<table>_restricted_select`.
 */
const ofTheAccount = new Set([
  'agent_confirmation',
  'agent_connection',
  'catalogue_directory',
  'credit_account',
  'feature_request',
  'idempotency_key',
  'interview_template',
  'knowledge_base',
  'merchant',
  'merchant_access',
  'report',
  'report_change',
  'report_filters',
  'report_version',
  // Row-level security hides the following tables of reports from all hiring managers.
  'report_day',
  'report_delivery',
  'report_mail',
  'report_rollup',
  'report_schedule',
  'service_key',
  'test_invitation_budget',
  'webhook_endpoint',
  'webhook_replay',
  'webhook_secret',
]);

/** Returns a message for everything in the database that breaks a rule. */
export async function listBreaches(ask: Ask): Promise<string[]> {
  const found: string[] = [];
  for (const { breach, query } of rules)
    for (const { name } of await ask<{ name: string }>(query)) found.push(`${name}: ${breach}`);
  return [
    ...found,
    ...(await compareGrants(ask)),
    ...(await comparePolicies(ask)),
    ...(await validateIndexes(ask)),
  ];
}

type Granted = { role: string; table: string; command: string };
/** Returns the entries of `one` that are missing in `other`. */
const without = (one: Set<string>, other: Set<string>) => [...one].filter((entry) => !other.has(entry));

const line = ({ role, table, command }: Granted) => `${role} ${command} ${table}`;

/** Returns the commands that each role may run on at least one column of each table. */
const readGrants = (ask: Ask) =>
  ask<Granted>(`
    select r.rolname as role, c.relname as table, command
    from pg_roles r, pg_class c, unnest(array['select', 'insert', 'update', 'delete']) as command
    where r.rolname like 'app\\_%' and r.rolname <> 'app_owner' and c.relnamespace = 'public'::regnamespace
      and c.relkind in ('r', 'p', 'v')
      and (has_table_privilege(r.oid, c.oid, command)
        or command <> 'delete' and has_any_column_privilege(r.oid, c.oid, case command when 'delete' then 'select' else command end))`);

const readPolicies = (ask: Ask) =>
  ask<Granted & { name: string; roles: string[] }>(`
    select role, tablename as table, lower(cmd) as command, policyname as name, roles::text[] as roles
    from pg_policies, unnest(roles) as role where schemaname = 'public'`);

async function compareGrants(ask: Ask): Promise<string[]> {
  const actual = new Set((await readGrants(ask)).map(line));
  const written = new Set(
    Object.entries({ ...grants, app_restricted: grants.app_user }).flatMap(([role, tables]) =>
      Object.entries(tables).flatMap(([table, commands]) =>
        commands.map((command) => line({ role, table, command })),
      ),
    ),
  );
  return [
    ...without(actual, written).map((grant) => `${grant}: granted, and not in db/platform/grants.ts`),
    ...without(written, actual).map((grant) => `${grant}: in db/platform/grants.ts, and not granted`),
  ];
}

async function comparePolicies(ask: Ask): Promise<string[]> {
  const policies = await readPolicies(ask);
  const granted = new Set((await readGrants(ask)).map(line));
  const allowed = new Set(policies.map(line));
  // Returns the part `<who>` of a policy's name, which is `<table>_<who>_<verb>`. Users and service keys together are
  // `caller`.
  const who = (roles: string[]) =>
    roles.toSorted().join() === 'app_service,app_user'
      ? 'caller'
      : roles.map((role) => role.slice(4)).join('_');
  return [
    ...without(granted, allowed)
      .filter((grant) => !grant.startsWith('app_restricted '))
      .map((grant) => `${grant}: granted without a policy`),
    ...without(granted, allowed)
      .filter((grant) => grant.startsWith('app_restricted select '))
      .filter((grant) => !ofTheAccount.has(grant.split(' ')[2] ?? ''))
      .map((grant) => `${grant}: shows the rows of every position`),
    ...without(allowed, granted).map((policy) => `${policy}: a policy without a grant`),
    ...policies
      .filter(({ name, table, command, roles }) => name !== `${table}_${who(roles)}_${command}`)
      .map(({ name, table, command, roles }) => `${name}: should be ${table}_${who(roles)}_${command}`),
  ];
}

async function validateIndexes(ask: Ask): Promise<string[]> {
  const indexes = await ask<{ name: string; table: string; leads: boolean; made: boolean; columns: string }>(`
    select c.relname as name, r.relname as table, coalesce(t.attname = 'merchant_id', false) as leads,
      not exists (select from pg_constraint k where k.conindid = c.oid) as made,
      (select string_agg(a.attname, '_' order by k.place) from unnest(i.indkey) with ordinality k (attnum, place)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum where k.place <= i.indnkeyatts) as columns
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class r on r.oid = i.indrelid
    left join pg_attribute t on t.attrelid = i.indrelid and t.attnum = i.indkey[0]
    where c.relnamespace = 'public'::regnamespace and not c.relispartition`);
  const others = new Set(indexes.filter(({ leads }) => !leads).map(({ name }) => name));
  const listed = new Set(Object.keys(indexExceptions));
  return [
    ...without(others, listed).map((name) => `${name}: does not lead with merchant_id`),
    ...without(listed, others).map((name) => `${name}: an exception that there is no such index for`),
    ...indexes
      .filter(({ name, table, made, columns }) => made && name !== `${table}__${columns}`)
      .map(({ name, table, columns }) => `${name}: should be ${table}__${columns}`),
  ];
}
