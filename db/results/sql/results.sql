-- Results of interviews (docs/results.md).

-- Returns the maximum score of the interview, 10 by default.
create or replace function app.max_score(p_result_scoring jsonb) returns numeric
language sql immutable parallel safe
as $$
  select case
    when jsonb_typeof(p_result_scoring -> 'max_score') = 'number' and (p_result_scoring ->> 'max_score')::numeric > 0
    then (p_result_scoring ->> 'max_score')::numeric else 10 end
$$;
grant execute on function app.max_score(jsonb) to app_definer;

set local role app_definer;

-- Returns the maximum score that an attempt can get. Like the weights, the maximum is fixed when the attempt begins.
create or replace function app.max_score_of(p_merchant_id uuid, p_result_id uuid, p_attempt integer) returns numeric
language sql stable security definer set search_path = ''
as $$
  select app.max_score(case when p.result_id is null then i.result_scoring else p.scoring end)
  from public.interview_result r
  join public.interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
  left join public.attempt_plan p on p.merchant_id = r.merchant_id and p.result_id = r.id and p.attempt = p_attempt
  where r.merchant_id = p_merchant_id and r.merchant_id = coalesce(app.merchant_id(), r.merchant_id) and r.id = p_result_id
$$;
grant execute on function app.max_score_of(uuid, uuid, integer) to app_user, app_service, app_worker;

-- Returns what the plans of attempts say: the maximum score, and why the remaining scored questions were skipped, or null.
-- p_attempt is by default the current attempt of each result. One call for many results takes half the time of one for each.
create or replace function app.plan_facts(p_result_ids uuid[], p_attempt integer)
returns table (result_id uuid, max_score numeric, stopped_because text)
language sql stable security definer set search_path = '' rows 50
as $$
  select r.id, app.max_score(case when p.result_id is null then i.result_scoring else p.scoring end), p.stopped_because
  from public.interview_result r
  join public.interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
  left join public.attempt_plan p on p.merchant_id = r.merchant_id and p.result_id = r.id
    and p.attempt = coalesce(p_attempt, r.attempt)
  where r.merchant_id = app.merchant_id() and r.id = any (p_result_ids)
$$;
grant execute on function app.plan_facts(uuid[], integer) to app_user, app_service;

reset role;

-- Raises `revision` and sets `updated_at`.
create or replace function app.touch_interview_result() returns trigger language plpgsql
as $$
begin
  new.updated_at := now();
  new.revision := old.revision + 1;
  return new;
end
$$;

-- Sets the time of the recruiter's decision. Withdrawing the decision or reopening the result clears the time.
create or replace function app.set_decided_at() returns trigger language plpgsql set search_path = ''
as $$
begin
  new.decided_at := case when new.recruiter_go_next_round is not null then pg_catalog.now() end;
  return new;
end
$$;

-- Clears `erased_at` when another attempt begins, because that attempt has content again.
create or replace function app.clear_erased_at() returns trigger language plpgsql set search_path = ''
as $$
begin
  new.erased_at := null;
  return new;
end
$$;

create or replace trigger interview_result_touch before update on interview_result
  for each row execute function app.touch_interview_result();
create or replace trigger interview_result_decided before update of recruiter_go_next_round on interview_result
  for each row when (old.recruiter_go_next_round is distinct from new.recruiter_go_next_round)
  execute function app.set_decided_at();
create or replace trigger interview_result_begun before update of started_at on interview_result
  for each row when (old.erased_at is not null and new.started_at is distinct from old.started_at
    and new.started_at is not null)
  execute function app.clear_erased_at();
