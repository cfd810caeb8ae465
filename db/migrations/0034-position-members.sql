-- Lets owners restrict a hiring manager to some positions (docs/identity.md#positions-of-hiring-managers).

-- A person without rows sees every position of the merchant. A row in one environment restricts the person in all
-- environments.
create table position_member (
  merchant_id uuid not null references merchant (id),
  profile_id uuid not null references profile (id),
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  -- The ids of positions, and of interviews whose candidates belong to no position.
  position_ids uuid[] not null check (cardinality(position_ids) <= 200),
  updated_at timestamptz not null default now(),
  primary key (merchant_id, profile_id, environment)
);
create trigger position_member_touch before update on position_member
  for each row execute function app.touch_updated_at();
alter table position_member enable row level security, force row level security;
create policy position_member_definer_select on position_member for select to app_definer using (true);
create policy position_member_definer_insert on position_member for insert to app_definer with check (true);
create policy position_member_definer_update on position_member for update to app_definer using (true);
create policy position_member_definer_delete on position_member for delete to app_definer using (true);
grant select, insert, update (position_ids), delete on position_member to app_definer;
create policy position_definer_select on position for select to app_definer using (true);
create policy position_step_definer_select on position_step for select to app_definer using (true);
grant select (id, merchant_id, environment, status) on position to app_definer;
grant select on position_step to app_definer;
grant select (status) on interview to app_definer;

-- Returns the `position_ids` of the restricted person whose transaction this is. Null in every other transaction.
create function app.position_ids() returns uuid[] language sql stable parallel safe
  as $$ select nullif(current_setting('app.position_ids', true), '')::uuid[] $$;
-- Returns the `position_ids` and the ids of the interviews that are steps of these positions.
create function app.position_interview_ids() returns uuid[] language sql stable parallel safe
  as $$ select nullif(current_setting('app.position_interview_ids', true), '')::uuid[] $$;
grant execute on function app.position_ids(), app.position_interview_ids() to app_definer, app_user, app_service;

create function app.find_positions_of(
  p_merchant_id uuid, p_profile_id uuid, p_environment text, out position_ids uuid[], out interview_ids uuid[]
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform from public.position_member m where m.merchant_id = p_merchant_id and m.profile_id = p_profile_id;
  if not found then
    return;
  end if;
  position_ids := coalesce((
    select m.position_ids from public.position_member m
    where m.merchant_id = p_merchant_id and m.profile_id = p_profile_id and m.environment = p_environment
  ), '{}');
  interview_ids := position_ids || array(
    select s.interview_id from public.position_step s
    where s.merchant_id = p_merchant_id and s.position_id = any (position_ids)
  );
end
$$;
grant execute on function app.find_positions_of(uuid, uuid, text) to app_api_login;
alter function app.find_positions_of(uuid, uuid, text) owner to app_definer;

-- Redefines the function of 0010: a hiring manager who is restricted to positions gets the role app_restricted. This
-- role has the rights of app_user, but the policies below apply to it too. Nothing changes for other callers.
create or replace function app.begin_request(
  p_kind text, p_credential text, p_profile_id uuid, p_role text, p_home_merchant_id uuid, p_environment text,
  p_merchant text, p_roles text[], p_needs_merchant boolean, p_statement_timeout text
) returns app.request_scope
language plpgsql security invoker
as $$
declare
  scope app.request_scope;
  seen_positions uuid[];
  seen_interviews uuid[];
begin
  scope := app.check_credential(
    p_kind, p_credential, p_profile_id, p_role, p_home_merchant_id, p_environment, p_merchant, p_roles, p_needs_merchant
  );
  if scope.role = 'merchant_selection' then
    select s.position_ids, s.interview_ids into seen_positions, seen_interviews
      from app.find_positions_of(scope.merchant_id, scope.profile_id, scope.environment) s;
    if seen_positions is not null then
      scope.db_role := 'app_restricted';
    end if;
  end if;
  perform
    pg_catalog.set_config('app.merchant_id', coalesce(scope.merchant_id::text, ''), true),
    pg_catalog.set_config('app.profile_id', coalesce(scope.profile_id::text, ''), true),
    pg_catalog.set_config('app.caller_id', scope.caller_id::text, true),
    pg_catalog.set_config('app.role', scope.role, true),
    pg_catalog.set_config('app.environment', scope.environment, true),
    pg_catalog.set_config('app.position_ids', coalesce(seen_positions::text, ''), true),
    pg_catalog.set_config('app.position_interview_ids', coalesce(seen_interviews::text, ''), true),
    pg_catalog.set_config('statement_timeout', p_statement_timeout, true),
    pg_catalog.set_config('role', scope.db_role, true);
  return scope;
end
$$;

-- A candidate, and everything about the candidate, belongs to the position of the enrolment, or to the interview if the
-- enrolment has no position.
create policy position_restricted_select on position as restrictive for select to app_restricted
  using (id = any ((select app.position_ids())::uuid[]));
create policy position_step_restricted_select on position_step as restrictive for select to app_restricted
  using (position_id = any ((select app.position_ids())::uuid[]));
create policy interview_restricted_select on interview as restrictive for select to app_restricted
  using (id = any ((select app.position_interview_ids())::uuid[]));
create policy interview_question_restricted_select on interview_question as restrictive for select to app_restricted
  using (interview_id = any ((select app.position_interview_ids())::uuid[]));
create policy question_restricted_select on question as restrictive for select to app_restricted
  using (id in (select q.question_id from interview_question q));
create policy embed_key_restricted_select on embed_key as restrictive for select to app_restricted
  using (interview_id = any ((select app.position_interview_ids())::uuid[]));
create policy enrolment_restricted_select on enrolment as restrictive for select to app_restricted
  using (scope_id = any ((select app.position_ids())::uuid[]));
create policy profile_restricted_select on profile as restrictive for select to app_restricted
  using (role <> 'candidate' or id in (select e.profile_id from enrolment e));
create policy interview_result_restricted_select on interview_result as restrictive for select to app_restricted
  using (
    enrolment_id in (select e.id from enrolment e)
    or enrolment_id is null and interview_id = any ((select app.position_ids())::uuid[])
  );
create policy interview_result_attempt_restricted_select on interview_result_attempt as restrictive for select to app_restricted
  using (exists (
    select from interview_result r
    where r.merchant_id = interview_result_attempt.merchant_id and r.id = interview_result_attempt.result_id
  ));
create policy result_question_restricted_select on result_question as restrictive for select to app_restricted
  using (exists (
    select from interview_result r where r.merchant_id = result_question.merchant_id and r.id = result_question.result_id
  ));
create policy report_attempt_restricted_select on report_attempt as restrictive for select to app_restricted
  using (coalesce(position_id, interview_id) = any ((select app.position_ids())::uuid[]));
create policy invitation_restricted_select on invitation as restrictive for select to app_restricted
  using (coalesce(position_id, interview_id) = any ((select app.position_ids())::uuid[]));
create policy invitation_batch_restricted_select on invitation_batch as restrictive for select to app_restricted
  using (false);
create policy mail_restricted_select on mail as restrictive for select to app_restricted
  using (enrolment_id in (select e.id from enrolment e));
-- Deliveries of test events have no result, so a restricted person sees all of them.
create policy webhook_delivery_restricted_select on webhook_delivery as restrictive for select to app_restricted
  using (result_id is null or exists (
    select from interview_result r where r.merchant_id = webhook_delivery.merchant_id and r.id = webhook_delivery.result_id
  ));
create policy webhook_attempt_restricted_select on webhook_attempt as restrictive for select to app_restricted
  using (exists (
    select from webhook_delivery d where d.merchant_id = webhook_attempt.merchant_id and d.id = webhook_attempt.delivery_id
  ));
create policy webhook_hold_restricted_select on webhook_hold as restrictive for select to app_restricted
  using (exists (
    select from interview_result r where r.merchant_id = webhook_hold.merchant_id and r.id = webhook_hold.result_id
  ));
-- Stored counts of a period belong to no position, so a restricted person cannot read `account_count`;
-- app.count_positions counts the visible rows instead. A restricted person cannot read the ledger of credits either.
create policy account_count_restricted_select on account_count as restrictive for select to app_restricted
  using (false);
create policy credit_entry_restricted_select on credit_entry as restrictive for select to app_restricted
  using (false);
-- A restricted person sees only the person's own audit entries and technical issues. The entries and issues of others
-- can name or describe candidates, interviews and results of any position.
create policy audit_entry_restricted_select on audit_entry as restrictive for select to app_restricted
  using (actor_id = (select app.caller_id()));
create policy technical_issue_restricted_select on technical_issue as restrictive for select to app_restricted
  using (profile_id = (select app.profile_id()));

-- Computes the counts of `account_count` from the rows that a restricted person can see, and returns no rows for other
-- people. The function runs with the rights of its caller, so the policies decide which rows it sees.
grant execute on function app.result_metrics(text, text, text, boolean, text) to app_user, app_service;
create function app.count_positions() returns table (metric text, scope_id uuid, quarter timestamptz, value bigint)
language plpgsql stable
as $$
begin
  if app.position_ids() is null then
    return;
  end if;
  return query
    select 'candidates', e.scope_id, e.created_at, 1::bigint from enrolment e
    union all
    select m.metric, coalesce(e.scope_id, r.interview_id), case when m.metric = 'results' then r.created_at end, 1::bigint
    from interview_result r left join enrolment e on e.merchant_id = r.merchant_id and e.id = r.enrolment_id
    cross join lateral app.result_metrics(r.status, r.interview_status, r.processing_status, r.recruiter_go_next_round, r.charge)
      as m (metric)
    where not r.is_test;
end
$$;
grant execute on function app.count_positions() to app_user, app_service;

-- Sets the positions of a hiring manager at the caller's merchant in the credential's environment; null removes the
-- restriction in all environments. `unknown_at` is the index of the first id that is unknown or deleted, or that is
-- archived and was not chosen before. `old_ids` is null if the person was not restricted.
create function app.set_member_positions(
  p_profile_id uuid, p_position_ids uuid[], out outcome text, out unknown_at integer, out old_ids uuid[]
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  here constant uuid := app.merchant_id();
  member_role text;
  new_ids uuid[];
begin
  outcome := 'unknown';
  if app.caller_role() not in ('merchant_owner', 'admin') then
    return;
  end if;
  -- Takes the same lock as app.update_team_member, which may change the caller's role.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('team/' || here::text, 0));
  if not app.is_opener_in_charge(app.profile_id(), here) then
    raise exception 'your role has changed: you are no longer an owner of this merchant' using errcode = 'PA403';
  end if;
  select p.role into member_role from public.profile p
    where p.id = p_profile_id and p.merchant_id = here and p.home_withdrawn_at is null;
  if not found then
    select a.role into member_role from public.merchant_access a where a.profile_id = p_profile_id and a.merchant_id = here;
    if not found then
      return;
    end if;
  end if;
  if p_position_ids is not null and member_role <> 'merchant_selection' then
    outcome := 'other_role';
    return;
  end if;
  select s.position_ids into old_ids from app.find_positions_of(here, p_profile_id, app.environment()) s;
  if p_position_ids is null then
    delete from public.position_member m where m.merchant_id = here and m.profile_id = p_profile_id;
    outcome := case when found then 'changed' else 'unchanged' end;
    return;
  end if;
  select x.place - 1 into unknown_at
    from unnest(p_position_ids) with ordinality as x (id, place)
    where not exists (
        select from public.position p
        where p.id = x.id and p.merchant_id = here and p.environment = app.environment() and p.status <> 'deleted'
          and (p.status <> 'archived' or x.id = any (old_ids))
      )
      and not exists (
        select from public.interview i
        where i.id = x.id and i.merchant_id = here and i.environment = app.environment() and i.built_at is not null
          and i.status <> 'deleted' and (i.status <> 'archived' or x.id = any (old_ids))
      )
    order by x.place limit 1;
  if found then
    outcome := 'unknown_id';
    return;
  end if;
  new_ids := array(select distinct x.id from unnest(p_position_ids) as x (id) order by x.id);
  if new_ids = old_ids then
    outcome := 'unchanged';
    return;
  end if;
  insert into public.position_member as m (merchant_id, profile_id, environment, position_ids)
    values (here, p_profile_id, app.environment(), new_ids)
    on conflict (merchant_id, profile_id, environment) do update set position_ids = excluded.position_ids;
  outcome := 'changed';
end
$$;
grant execute on function app.set_member_positions(uuid, uuid[]) to app_user;
alter function app.set_member_positions(uuid, uuid[]) owner to app_definer;

-- Returns to owners and admins the positions of a person at their merchant in the credential's environment. Null if the
-- person is not restricted.
create function app.list_member_positions(p_profile_id uuid) returns uuid[]
language sql stable security definer set search_path = ''
as $$
  select array(
    select x.id from unnest(s.position_ids) as x (id)
    where exists (select from public.position p where p.id = x.id and p.status <> 'deleted')
      or exists (select from public.interview i where i.id = x.id and i.status <> 'deleted')
    order by x.id
  )
  from app.find_positions_of(app.merchant_id(), p_profile_id, app.environment()) s
  where app.caller_role() in ('merchant_owner', 'admin') and s.position_ids is not null
$$;
grant execute on function app.list_member_positions(uuid) to app_user;
alter function app.list_member_positions(uuid) owner to app_definer;
