-- What the migration command knows of a database, and the procedure that the files access.sql call. The command runs
-- this file at the beginning of its transaction.

create schema if not exists migrations;
create table if not exists migrations.migration (
  name text primary key,
  migrated_at timestamptz not null default now()
);
create table if not exists migrations.schema_file (
  name text primary key, -- the path of the file, which begins at the folder db
  hash text not null,
  applied_at timestamptz not null default now()
);

-- Removes all policies and grants of a table, so that it then has only those that follow in the file. Calls do not
-- notice, because the transaction commits both at once. The procedure exists in this session only.
create procedure pg_temp.reset_access(p_table regclass) language plpgsql
as $$
declare
  policy name;
  roles text := (
    select string_agg(quote_ident(rolname), ', ') from pg_roles where rolname like 'app\_%' and rolname <> 'app_owner'
  );
begin
  for policy in select polname from pg_policy where polrelid = p_table loop
    execute format('drop policy %I on %s', policy, p_table);
  end loop;
  -- This also revokes the grants to single columns.
  execute format('revoke all on table %s from %s', p_table, roles);
end
$$;
