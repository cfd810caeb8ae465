-- The roles of the platform. The administrator's login runs this file before the migrations, because roles belong to
-- the whole cluster and app_owner cannot create any. It creates missing roles and changes nothing else but the
-- memberships and settings below.

do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('app_owner', 'nologin'),         -- owns the tables, runs the migrations
      ('app_definer', 'nologin'),       -- owns the security definer functions
      ('app_user', 'nologin'),          -- a person's session
      ('app_restricted', 'nologin'),    -- a session of a hiring manager who may see only some positions
      ('app_service', 'nologin'),       -- a service key
      ('app_link', 'nologin'),          -- a candidate's link
      ('app_embed', 'nologin'),         -- a page with an embed key, before the candidate has a link
      ('app_portal', 'nologin'),        -- a visitor of a portal
      ('app_auth', 'nologin'),          -- sign-in and refresh
      ('app_mail_hook', 'nologin'),     -- the mail provider's events
      ('app_worker', 'nologin'),        -- activities and loops of the worker process
      ('app_report', 'nologin'),        -- a scheduled report, which the worker runs for a person
      ('app_api_login', 'login'),
      ('app_worker_login', 'login')
    ) as role (name, login)
  loop
    if not exists (select from pg_roles where rolname = wanted.name) then
      execute format(
        'create role %I %s nosuperuser nobypassrls nocreatedb nocreaterole noinherit',
        wanted.name, wanted.login
      );
    end if;
  end loop;
end
$$;

-- The logins can switch to these roles but inherit no rights from them, so a query without a scope fails.
grant app_user, app_restricted, app_service, app_link, app_embed, app_portal, app_auth, app_mail_hook to app_api_login with inherit false, set true;
-- app_restricted inherits the grants of app_user. Its restrictive policies (access.sql of each domain) limit the rows.
grant app_user to app_restricted with inherit true, set false;
grant app_worker, app_report to app_worker_login with inherit false, set true;
grant app_definer to app_owner with inherit false, set true;

-- The settings of all sessions of the API and the worker. A connection does not set them itself, because PgBouncer rejects
-- startup parameters that it does not know.
do $$
declare
  login text;
begin
  foreach login in array array['app_api_login', 'app_worker_login'] loop
    execute format('alter role %I set timezone = %L', login, 'UTC');
    execute format('alter role %I set idle_in_transaction_session_timeout = %L', login, '30s');
    -- Cancels the query of a client that has disconnected. Without this setting, Postgres would finish the query first.
    execute format('alter role %I set client_connection_check_interval = %L', login, '1s');
  end loop;
end
$$;
