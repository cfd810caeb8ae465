-- The scope of a request lives in settings of its transaction; policies and defaults read it through these.

create schema app;

-- After a commit a pooled connection answers '' for a setting that was local: hence nullif.
create function app.merchant_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.merchant_id', true), '')::uuid $$;
create function app.profile_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.profile_id', true), '')::uuid $$;
create function app.environment() returns text language sql stable parallel safe
  as $$ select nullif(current_setting('app.environment', true), '') $$;
-- Who asks, for idempotency: the profile or the service key.
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
-- A function can be handed to app_definer only while that role may create in the schema.
grant create on schema app to app_definer;

create function app.touch_updated_at() returns trigger language plpgsql
as $$
begin
  new.updated_at := now();
  return new;
end
$$;
