-- Learners practice the sessions of a portal's catalogue (docs/catalogue.md#practice).

-- Returns the learner's enrolment at a session, found by email address as in job-interview-register-users.
create or replace function app.find_practice(p_interview_id uuid) returns uuid language sql stable
as $$
  select e.id from public.enrolment e
  where e.merchant_id = app.merchant_id() and e.environment = app.environment() and e.scope_id = p_interview_id
    and e.email_key = (select p.email_key from public.profile p where p.id = app.profile_id())
$$;
grant execute on function app.find_practice(uuid) to app_definer;

set local role app_definer;

-- Returns the sessions that this visitor reaches although visitors in general do not: those of visibility `merchant_invite`
-- at which the learner is enrolled, and those of visibility `sub_item` for which a page that the visitor may see has a card.
create or replace function app.reached_sessions() returns uuid[]
language sql stable security definer set search_path = ''
as $$
  select array(
    select i.id from public.enrolment e join public.interview i on i.merchant_id = e.merchant_id and i.id = e.interview_id
    where e.merchant_id = app.merchant_id() and e.environment = app.environment() and i.visibility = 'merchant_invite'
      and e.email_key = (select p.email_key from public.profile p where p.id = app.profile_id())
    union
    select i.id from public.catalogue_directory d cross join unnest(d.session_ids) as card (id)
    join public.interview i on i.merchant_id = app.merchant_id() and i.id = card.id and i.visibility = 'sub_item'
    where (d.merchant_id is null or d.merchant_id = app.merchant_id()) and d.status = 'active' and d.session_ids <> '{}'
      and (d.visibility <> 'merchant_invite' or app.profile_id() is not null)
  )
$$;
grant execute on function app.reached_sessions() to app_portal;

-- Enrols the learner in a session of the catalogue, unless there is an enrolment already, and returns what the link to
-- its interview needs. Returns no row if the visitor is not a learner or may not open the session. If the
-- outcome is not `open`, nobody is enrolled.
create or replace function app.start_practice(p_interview_id uuid)
returns table (outcome text, enrolment_id uuid, link_generation integer, interview_available_till text)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  session record;
  learner record;
begin
  select p.id, p.merchant_id, p.email, p.email_key, p.name, p.platform_language_code into learner
    from public.profile p where p.id = app.profile_id();
  if not found then
    return;
  end if;
  select i.status, i.interview_available_till as till into session from public.interview i
    where i.merchant_id = app.merchant_id() and i.environment = app.environment() and i.id = p_interview_id
      and i.status in ('active', 'archived', 'completed') and app.is_practice(i.type)
      and i.built_at is not null and (
        i.visibility in ('public', 'merchant_public', 'merchant_unlisted') or i.id = any (app.reached_sessions())
      );
  if not found then
    return;
  end if;
  interview_available_till := session.till;
  outcome := case when session.status <> 'active' then 'closed'
    when app.available_until(session.till) <= now() then 'over' else 'open' end;
  if outcome <> 'open' then
    return next;
    return;
  end if;
  enrolment_id := app.find_practice(p_interview_id);
  if enrolment_id is null then
    -- job-interview-register-users takes the same lock, so that simultaneous calls do not enrol a person twice.
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('enrolment ' || p_interview_id, 0));
    enrolment_id := app.find_practice(p_interview_id);
  end if;
  if enrolment_id is null then
    -- An enrolment needs a profile at the merchant of the session, so a learner of another merchant gets one there.
    if learner.merchant_id is distinct from app.merchant_id() then
      learner.id := app.candidate_profile(
        learner.email, learner.email_key, learner.name, learner.platform_language_code
      );
    end if;
    insert into public.enrolment as e
      (merchant_id, environment, interview_id, profile_id, name, email, email_key, source)
      values (app.merchant_id(), app.environment(), p_interview_id, learner.id, learner.name, learner.email,
        learner.email_key, 'public')
      returning e.id into enrolment_id;
  end if;
  select e.link_generation into link_generation from public.enrolment e
    where e.merchant_id = app.merchant_id() and e.id = enrolment_id;
  return next;
end
$$;
grant execute on function app.start_practice(uuid) to app_portal;

-- Describes the learner's practice of a session, or returns no row for other visitors. `finished` counts the submitted
-- attempts. `score` is the score of the last scored attempt, if `result_view` shows it, and `max_score` is the highest
-- score that the attempt could have.
create or replace function app.practice_state(p_interview_id uuid)
returns table (state text, finished integer, score numeric, max_score numeric)
language sql stable security definer set search_path = ''
as $$
  select case
      when r.status = 'draft' and r.interview_status in ('started', 'completed', 'completed, stopped early') or exists (
        select from public.interview_result_attempt a where a.merchant_id = r.merchant_id and a.result_id = r.id and a.is_open
      ) then 'running'
      when (r.interview_status is null or app.next_attempt(r) = 'begun') and not app.has_credits_left(i.merchant_id, i.id)
        then 'used_up'
      when r.interview_status is null then case when history.finished > 0 then 'again' else 'new' end
      when app.next_attempt(r) = 'begun' then 'again'
      else 'scoring' end,
    history.finished + (r.status is not distinct from 'active')::integer,
    case when i.result_view in ('none', 'minimal') then null
      when r.status = 'active' and r.processing_status = 'completed' then r.score else history.score end,
    coalesce(
      app.max_score_of(r.merchant_id, r.id, case
        when r.status = 'active' and r.processing_status = 'completed' then r.attempt else history.scored_attempt end),
      app.max_score(i.result_scoring)
    )
  from public.interview i
  left join public.interview_result r on r.merchant_id = i.merchant_id and r.enrolment_id = app.find_practice(i.id)
    and r.interview_id = i.id and not r.is_test
  cross join lateral (
    select count(*)::integer as finished,
      max(a.attempt) filter (where a.fields ->> 'processing_status' = 'completed') as scored_attempt, (
        array_agg((a.fields ->> 'score')::numeric order by a.attempt desc)
          filter (where a.fields ->> 'processing_status' = 'completed')
      )[1] as score
    from public.interview_result_attempt a
    where a.merchant_id = r.merchant_id and a.result_id = r.id and a.fields ->> 'status' = 'active'
  ) history
  where app.profile_id() is not null
    and i.merchant_id = app.merchant_id() and i.environment = app.environment() and i.id = p_interview_id
$$;
grant execute on function app.practice_state(uuid) to app_portal;

reset role;
