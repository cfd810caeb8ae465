-- Repeats in these functions what the API checks before it calls them: the caller's merchant, and that a hiring manager
-- changes and invites nobody. Their other statements are unchanged.
set local role app_definer;

create or replace function app.leased_deliveries(p_ids uuid[]) returns table (id uuid, stamp integer)
language sql stable security definer set search_path = '' rows 10
as $$
  select one.id, one.stamp from public.webhook_lease l cross join lateral unnest(l.delivery_ids, l.stamps) as one (id, stamp)
  where one.id = any (p_ids) and exists (
    select from public.webhook_delivery d where d.id = one.id and d.merchant_id = app.merchant_id()
  )
$$;

create or replace function app.max_score_of(p_merchant_id uuid, p_result_id uuid, p_attempt integer) returns numeric
language sql stable security definer set search_path = ''
as $$
  select app.max_score(case when p.result_id is null then i.result_scoring else p.scoring end)
  from public.interview_result r
  join public.interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
  left join public.attempt_plan p on p.merchant_id = r.merchant_id and p.result_id = r.id and p.attempt = p_attempt
  where r.merchant_id = p_merchant_id and r.merchant_id = coalesce(app.merchant_id(), r.merchant_id) and r.id = p_result_id
$$;

create or replace function app.find_accounts(p_email_keys text[])
returns table (
  email_key text, profile_id uuid, is_admin boolean, is_home boolean, role text, is_active boolean, is_disabled boolean,
  is_disabled_here boolean, was_withdrawn boolean
)
language sql stable security definer set search_path = ''
as $$
  select p.email_key, p.id, p.role = 'admin', home.is_home,
    case when home.is_member then p.role else a.role end,
    p.activated_at is not null, p.disabled_at is not null,
    case when home.is_member then p.home_disabled_at is not null else coalesce(a.disabled_at is not null, false) end,
    home.is_home and not home.is_member or exists (
      select from public.team_withdrawal w where w.merchant_id = app.merchant_id() and w.profile_id = p.id
    )
  from public.profile p
  cross join lateral (
    select p.merchant_id is not distinct from app.merchant_id() as is_home,
      p.merchant_id is not distinct from app.merchant_id() and p.home_withdrawn_at is null as is_member
  ) home
  left join public.merchant_access a on a.profile_id = p.id and a.merchant_id = app.merchant_id()
  where p.role <> 'candidate' and p.email_key = any (p_email_keys)
    and app.caller_role() <> 'merchant_selection'
$$;

create or replace function app.report_schedule_states(p_ids uuid[]) returns table (id uuid, obstacle text, zone text, wanted text)
language sql stable security definer set search_path = ''
as $$
  select s.id, o.obstacle, z.zone, case
      when o.obstacle in ('stopped', 'report_archived') then 'none'
      else s.every || case when o.obstacle is null then ' active ' else ' paused ' end || z.zone
    end
  from public.report_schedule s
  join public.merchant m on m.id = s.merchant_id
  join public.report r on r.merchant_id = s.merchant_id and r.id = s.report_id
  left join public.report_version v on v.merchant_id = r.merchant_id and v.report_id = r.id
    and v.version = r.published_version
  left join public.profile p on p.id = s.creator_id and p.disabled_at is null and p.activated_at is not null
  left join public.merchant_access a on a.merchant_id = s.merchant_id and a.profile_id = p.id and a.disabled_at is null
  cross join lateral (
    select case
        when p.role = 'admin' then 'admin'
        when p.merchant_id = s.merchant_id and p.home_disabled_at is null and p.home_withdrawn_at is null then p.role
        else a.role
      end as role
  ) w
  cross join lateral (
    select case
        when s.stopped_at is not null then 'stopped'
        when r.archived_at is not null then 'report_archived'
        when not m.reports_enabled then 'reports_off'
        when w.role is null then 'creator_left'
        when w.role in ('merchant_owner', 'admin') or w.role = 'merchant' and r.creator_id = s.creator_id then null
        else 'creator_may_not_edit'
      end as obstacle
  ) o
  cross join lateral (select coalesce(v.definition -> 'filters' ->> 'timezone', m.time_zone) as zone) z
  where s.id = any (p_ids) and (
    s.merchant_id = app.merchant_id() or pg_catalog.current_setting('role') = 'app_worker'
  )
$$;

create or replace function app.reopen_result(p_result_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  result public.interview_result;
begin
  select * into result from public.interview_result r
    where r.id = p_result_id and r.merchant_id = app.merchant_id() and r.environment = app.environment()
      and app.caller_role() <> 'merchant_selection'
      and r.status = 'active' and r.processing_status = 'completed'
      and r.interview_status in ('completed', 'completed, stopped early')
    for update;
  if not found then
    return false;
  end if;
  perform app.archive_attempt(result);
  update public.interview_result r set extra_attempts = r.extra_attempts + 1 where r.id = result.id;
  update public.enrolment e set link_generation = e.link_generation + 1
    where e.merchant_id = result.merchant_id and e.id = result.enrolment_id;
  return true;
end
$$;

create or replace function app.enter_next_step(p_result_id uuid)
returns table (
  enrolment_id uuid, profile_id uuid, email_key text, interview_id uuid, platform_language_code text, is_mailed boolean
)
language sql security definer set search_path = ''
as $$
  update public.enrolment e set interview_id = n.interview_id, invited_at = case when m.mail_next_step then now() end
  from public.interview_result r
  join public.merchant m on m.id = r.merchant_id
  join public.position_step s on s.merchant_id = r.merchant_id and s.interview_id = r.interview_id
  join public.position p on p.merchant_id = s.merchant_id and p.id = s.position_id and p.status = 'active'
    and coalesce(app.available_until(p.interview_available_till) > now(), true)
  cross join lateral (
    select t.interview_id from public.position_step t
    where t.merchant_id = s.merchant_id and t.position_id = s.position_id and t.step_order > s.step_order
    order by t.step_order limit 1
  ) n
  join public.interview i on i.merchant_id = r.merchant_id and i.id = n.interview_id
  where r.id = p_result_id and r.merchant_id = app.merchant_id() and r.environment = app.environment()
    and app.caller_role() <> 'merchant_selection' and not r.is_test and r.recruiter_go_next_round
    and e.merchant_id = r.merchant_id and e.id = r.enrolment_id and e.position_id = p.id and e.interview_id = r.interview_id
    and not exists (
      select from public.interview_result o where o.merchant_id = e.merchant_id and o.enrolment_id = e.id
        and o.interview_id = n.interview_id and not o.is_test
    )
  returning e.id, e.profile_id, e.email_key, e.interview_id, i.platform_language_code, m.mail_next_step
$$;

create or replace function app.invite_reopened(p_result_id uuid)
returns table (enrolment_id uuid, profile_id uuid, email_key text, platform_language_code text)
language sql security definer set search_path = ''
as $$
  update public.enrolment e set invited_at = now()
  from public.interview_result r
  join public.merchant m on m.id = r.merchant_id and m.mail_reopened
  join public.interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
  where r.id = p_result_id and r.merchant_id = app.merchant_id() and r.environment = app.environment()
    and app.caller_role() <> 'merchant_selection' and not r.is_test
    and e.merchant_id = r.merchant_id and e.id = r.enrolment_id and e.interview_id = r.interview_id
    and case when e.position_id is null
      then i.status = 'active' and coalesce(app.available_until(i.interview_available_till) > now(), true)
      else exists (
        select from public.position p where p.merchant_id = e.merchant_id and p.id = e.position_id and p.status = 'active'
          and coalesce(app.available_until(p.interview_available_till) > now(), true)
      ) end
  returning e.id, e.profile_id, e.email_key, i.platform_language_code
$$;

create or replace function app.discard_unbuilt_interview(p_interview_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.interview i
    where i.id = p_interview_id and i.built_at is null
      and i.merchant_id = app.merchant_id() and i.environment = app.environment()
      and app.caller_role() <> 'merchant_selection';
  return found;
end
$$;

create or replace function app.reserve_invitations(p_wanted integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  account public.credit_account;
  granted integer;
begin
  if app.caller_role() = 'merchant_selection' then
    return 0;
  end if;
  if app.environment() <> 'production' then
    return app.reserve_test_invitations(p_wanted);
  end if;
  account := app.lock_credit_account(app.merchant_id());
  granted := greatest(0, least(p_wanted, coalesce(app.invitations_limit(account) - account.invitations_sent, p_wanted)));
  update public.credit_account a set invitations_sent = a.invitations_sent + granted
    where a.merchant_id = account.merchant_id and granted > 0;
  return granted;
end
$$;

create or replace function app.lock_invitations(p_email_keys text[]) returns table (email_key text, mailed integer)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock(
    pg_catalog.hashtextextended('invitations/' || app.merchant_id()::text || '/' || app.environment(), 0)
  );
  -- Each `limit` makes the planner look the person up by index, even in a table that has just grown.
  return query
  select wanted.key, pg_catalog.sum((
      select count(*) from public.mail m
      where m.merchant_id = app.merchant_id() and m.environment = app.environment() and m.profile_id = person.id
        and m.kind not in ('reminder', 'final_reminder') and m.state <> 'withdrawn'
        and m.created_at > pg_catalog.now() - interval '24 hours'
    ))::integer
  from unnest(p_email_keys) as wanted (key)
  cross join lateral (
    (select p.id from public.profile p where p.role <> 'candidate' and p.email_key = wanted.key limit 1)
    union all
    (
      select p.id from public.profile p
      where p.role = 'candidate' and p.merchant_id = app.merchant_id() and p.email_key = wanted.key limit 1
    )
  ) person
  where app.caller_role() <> 'merchant_selection'
  group by wanted.key;
end
$$;

set local role app_owner;
