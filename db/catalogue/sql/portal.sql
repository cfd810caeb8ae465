-- What a visitor of a portal sees of the catalogue (docs/catalogue.md).

set local role app_definer;

-- Returns the merchant of a portal's host name. Also returns the learner of the visitor's link (p_profile_id), if the
-- link belongs to that merchant (p_merchant_id) and the learner is not disabled there.
create or replace function app.find_portal_scope(p_domain text, p_merchant_id uuid, p_profile_id uuid)
returns table (merchant_id uuid, profile_id uuid)
language sql stable security definer set search_path = ''
as $$
  select m.id, (
    select p.id from public.profile p
    where p.id = p_profile_id and m.id = p_merchant_id and p.disabled_at is null and p.activated_at is not null
      and exists (select from app.memberships_of(p.id, null) x where x.merchant_id = m.id)
  )
  from public.merchant m
  where case when p_domain is null then m.id = p_merchant_id else m.portal_domain = p_domain end
$$;
grant execute on function app.find_portal_scope(text, uuid, uuid) to app_api_login;

reset role;

-- Sets the scope of a visitor's transaction, as its first statement. If the host name belongs to no merchant, the
-- transaction sees no rows. Portals show the environment production.
create or replace function app.begin_portal(p_domain text, p_merchant_id uuid, p_profile_id uuid, p_statement_timeout text) returns void
language plpgsql security invoker
as $$
declare
  scope record;
begin
  select * into scope from app.find_portal_scope(p_domain, p_merchant_id, p_profile_id);
  perform
    pg_catalog.set_config('app.is_own_portal', (p_domain is null)::text, true),
    app.set_scope(
      row(scope.merchant_id, scope.profile_id, null, null, 'production', 'app_portal')::app.request_scope, p_statement_timeout
    );
end
$$;
grant execute on function app.begin_portal(text, uuid, uuid, text) to app_api_login;

set local role app_definer;

-- Lists the sessions that the learner has completed, not counting tests. A session stays completed when the learner
-- practices it again.
create or replace function app.list_completed_sessions() returns table (interview_id uuid)
language sql stable security definer set search_path = ''
as $$
  select distinct r.interview_id
  from public.enrolment e join public.interview_result r on r.merchant_id = e.merchant_id and r.enrolment_id = e.id
  where e.merchant_id = app.merchant_id() and e.environment = app.environment() and not r.is_test
    and e.email_key = (select p.email_key from public.profile p where p.id = app.profile_id())
    and (r.interview_status in ('completed', 'completed, stopped early') or r.attempt > 1 and exists (
      select from public.interview_result_attempt a
      where a.merchant_id = r.merchant_id and a.result_id = r.id
        and a.fields ->> 'interview_status' in ('completed', 'completed, stopped early')
    ))
$$;
grant execute on function app.list_completed_sessions() to app_portal;

reset role;
