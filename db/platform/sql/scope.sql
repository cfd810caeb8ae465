-- Each transaction stores its scope in settings. Policies and column defaults read the scope with these functions. This
-- file is applied before the migrations, because the tables need its functions.

create schema if not exists app;
revoke all on schema app from public;
grant usage on schema app to app_definer, app_user, app_service, app_link, app_embed, app_portal, app_auth, app_mail_hook,
  app_worker, app_report, app_api_login, app_worker_login;
-- Postgres lets a role create functions in the schema, or become the owner of one, only with this right.
grant create on schema app to app_definer;
-- Nobody may call a new function, until its file grants it to a role. `app_owner` may call definer functions, because
-- the owner of a table can create a trigger only for a function that it may call.
alter default privileges revoke execute on functions from public;
set local role app_definer;
alter default privileges revoke execute on functions from public;
alter default privileges grant execute on functions to app_owner;
reset role;

-- `nullif` is needed because `current_setting` returns '' on a pooled connection whose earlier transaction set the
-- value locally.
create or replace function app.merchant_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.merchant_id', true), '')::uuid $$;
grant execute on function app.merchant_id() to app_user, app_service, app_link, app_embed, app_portal, app_auth,
  app_worker, app_report, app_definer;

create or replace function app.profile_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.profile_id', true), '')::uuid $$;
grant execute on function app.profile_id() to app_user, app_service, app_link, app_portal, app_auth, app_worker,
  app_report, app_definer;

create or replace function app.environment() returns text language sql stable parallel safe
  as $$ select nullif(current_setting('app.environment', true), '') $$;
grant execute on function app.environment() to app_user, app_service, app_link, app_embed, app_portal, app_auth,
  app_worker, app_report, app_definer;

-- Returns the id of the caller, a profile or a service key. Idempotency keys are stored per caller.
create or replace function app.caller_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.caller_id', true), '')::uuid $$;
grant execute on function app.caller_id() to app_user, app_service, app_link, app_portal, app_auth, app_worker,
  app_report, app_definer;

-- Returns the caller's role at the merchant of the request, or `service` for a service key.
create or replace function app.caller_role() returns text language sql stable parallel safe
  as $$ select nullif(current_setting('app.role', true), '') $$;
grant execute on function app.caller_role() to app_user, app_service, app_report, app_definer;

-- Returns the name of the agent through which the caller acts. Null if the caller uses no agent.
create or replace function app.agent() returns text language sql stable parallel safe
  as $$ select nullif(current_setting('app.agent', true), '') $$;
grant execute on function app.agent() to app_user, app_service, app_link, app_portal, app_auth, app_worker, app_report,
  app_definer;

-- A transaction for a candidate's link can read only the enrolment of the link and what the page of the link shows. The
-- API has already verified the signature of the link.
create or replace function app.enrolment_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.enrolment_id', true), '')::uuid $$;
grant execute on function app.enrolment_id() to app_user, app_service, app_link, app_worker, app_definer;

create or replace function app.link_interview_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.link_interview_id', true), '')::uuid $$;
grant execute on function app.link_interview_id() to app_definer;

create or replace function app.link_generation() returns integer language sql stable parallel safe
  as $$ select nullif(current_setting('app.link_generation', true), '')::integer $$;
grant execute on function app.link_generation() to app_definer;

create or replace function app.link_is_test() returns boolean language sql stable parallel safe
  as $$ select nullif(current_setting('app.link_is_test', true), '')::boolean $$;
grant execute on function app.link_is_test() to app_definer;

-- Returns the id of the result of a public avatar's visit. The API has verified that the visitor's browser was given it.
create or replace function app.visit_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.visit_id', true), '')::uuid $$;
grant execute on function app.visit_id() to app_definer;

-- Returns the `position_ids` of the restricted person whose transaction this is. Null in every other transaction.
create or replace function app.position_ids() returns uuid[] language sql stable parallel safe
  as $$ select nullif(current_setting('app.position_ids', true), '')::uuid[] $$;
grant execute on function app.position_ids() to app_user, app_service, app_definer;

-- Returns the `position_ids` and the ids of the interviews that are steps of these positions.
create or replace function app.position_interview_ids() returns uuid[] language sql stable parallel safe
  as $$ select nullif(current_setting('app.position_interview_ids', true), '')::uuid[] $$;
grant execute on function app.position_interview_ids() to app_user, app_service, app_definer;

create or replace function app.embed_key_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.embed_key_id', true), '')::uuid $$;
grant execute on function app.embed_key_id() to app_embed, app_definer;

-- Returns the interview of the embed key. It is null if the key was revoked, and the policies then allow no enrolment.
create or replace function app.embed_interview_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.embed_interview_id', true), '')::uuid $$;
grant execute on function app.embed_interview_id() to app_embed, app_definer;
