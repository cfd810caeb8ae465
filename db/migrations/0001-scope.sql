-- Each transaction stores its scope in settings. Policies and column defaults read the scope with these functions.

create schema app;

-- `nullif` is needed because `current_setting` returns '' on a pooled connection whose earlier transaction set the
-- value locally.
create function app.merchant_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.merchant_id', true), '')::uuid $$;
create function app.profile_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.profile_id', true), '')::uuid $$;
create function app.environment() returns text language sql stable parallel safe
  as $$ select nullif(current_setting('app.environment', true), '') $$;
-- Returns the id of the caller, a profile or a service key. Idempotency keys are stored per caller.
create function app.caller_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.caller_id', true), '')::uuid $$;

revoke all on schema app from public;
revoke execute on all functions in schema app from public;
alter default privileges in schema app revoke execute on functions from public;
alter default privileges revoke execute on functions from public;

grant usage on schema app to
  app_definer, app_user, app_service, app_link, app_portal, app_auth, app_worker, app_api_login, app_worker_login;
grant execute on function app.merchant_id(), app.profile_id(), app.environment(), app.caller_id()
  to app_definer, app_user, app_service, app_link, app_portal, app_auth, app_worker;
-- Postgres lets a role become the owner of a function only if that role may create objects in the schema.
grant create on schema app to app_definer;

create function app.touch_updated_at() returns trigger language plpgsql
as $$
begin
  new.updated_at := now();
  return new;
end
$$;
