-- What a candidate's link reaches (docs/taking.md).

set local role app_definer;

-- Returns the scope of a link, or no row if the link is invalid. If the generation of a link is higher than that of the
-- enrolment, the link was never signed, so it is invalid. A link works at the deployment's own portal (`p_domain` is
-- null) and at the portal domain of its own merchant.
create or replace function app.find_link_scope(p_enrolment_id uuid, p_interview_id uuid, p_generation integer, p_domain text)
returns table (merchant_id uuid, environment text)
language sql stable security definer set search_path = ''
as $$
  select e.merchant_id, e.environment from public.enrolment e
  where e.id = p_enrolment_id and e.link_generation >= p_generation
    and (e.interview_id = p_interview_id or exists (
      select from public.interview_result r
      where r.merchant_id = e.merchant_id and r.enrolment_id = e.id and r.interview_id = p_interview_id
    ))
    and (p_domain is null or exists (
      select from public.merchant m where m.id = e.merchant_id and m.portal_domain = p_domain
    ))
$$;
grant execute on function app.find_link_scope(uuid, uuid, integer, text) to app_api_login;

reset role;

-- Sets the scope of a transaction for a link, as its first statement. Raises PA401 for an enrolment or interview that
-- does not exist.
create or replace function app.begin_link(
  p_enrolment_id uuid, p_interview_id uuid, p_generation integer, p_is_test boolean, p_domain text,
  p_statement_timeout text
) returns void
language plpgsql security invoker
as $$
declare
  scope record;
begin
  select * into scope from app.find_link_scope(p_enrolment_id, p_interview_id, p_generation, p_domain);
  if not found then
    raise exception 'This link belongs to no candidate.' using errcode = 'PA401';
  end if;
  perform
    pg_catalog.set_config('app.enrolment_id', p_enrolment_id::text, true),
    pg_catalog.set_config('app.link_interview_id', p_interview_id::text, true),
    pg_catalog.set_config('app.link_generation', p_generation::text, true),
    pg_catalog.set_config('app.link_is_test', p_is_test::text, true),
    app.set_scope(
      row(scope.merchant_id, null, null, null, scope.environment, 'app_link')::app.request_scope, p_statement_timeout
    );
end
$$;
grant execute on function app.begin_link(uuid, uuid, integer, boolean, text, text) to app_api_login;

-- Returns `write` for a link of the current generation and for a visit, `read` for the link of a submitted attempt, and
-- otherwise `none`.
create or replace function app.link_rights(r public.interview_result) returns text language sql stable
as $$
  select 'write' where r.id = app.visit_id()
  union all
  select case
    when e.link_generation = app.link_generation() then 'write'
    when r.status = 'active' and r.link_generation = app.link_generation() and e.readable_from <= app.link_generation()
      then 'read'
    else 'none' end
  from public.enrolment e where e.merchant_id = app.merchant_id() and e.id = app.enrolment_id()
$$;
grant execute on function app.link_rights(interview_result) to app_definer;

-- Returns the candidate's current attempt at the interview of this transaction's link, or the result of its visit. All
-- columns are null if the candidate or visitor has not begun.
create or replace function app.link_result() returns public.interview_result language sql stable
as $$
  select r from public.interview_result r
  where r.merchant_id = app.merchant_id() and r.id = app.visit_id() and r.interview_id = app.link_interview_id()
  union all
  select app.current_attempt(r) from public.interview_result r
  where r.merchant_id = app.merchant_id() and r.enrolment_id = app.enrolment_id()
    and r.interview_id = app.link_interview_id() and r.is_test = app.link_is_test()
$$;
grant execute on function app.link_result() to app_definer;

-- Returns the same attempt as app.link_result and locks its result, so that two calls of a link run one after the other.
-- Functions that lock a turn lock its result first.
create or replace function app.lock_link_result() returns public.interview_result language plpgsql
as $$
declare
  result public.interview_result;
begin
  if app.visit_id() is not null then
    select * into result from public.interview_result r
      where r.merchant_id = app.merchant_id() and r.id = app.visit_id() and r.interview_id = app.link_interview_id()
      for update;
    return result;
  end if;
  select * into result from public.interview_result r
    where r.merchant_id = app.merchant_id() and r.enrolment_id = app.enrolment_id()
      and r.interview_id = app.link_interview_id() and r.is_test = app.link_is_test()
    for update;
  return app.current_attempt(result);
end
$$;
grant execute on function app.lock_link_result() to app_definer;

-- Returns what candidates may know of the character that the AI plays: not its goal and mood, which they find out by
-- talking to it.
create or replace function app.shown_persona(p_persona jsonb) returns jsonb language sql immutable
as $$
  select jsonb_build_object('name', p_persona -> 'name', 'role', p_persona -> 'role', 'situation', p_persona -> 'situation')
  where p_persona is not null
$$;
grant execute on function app.shown_persona(jsonb) to app_definer;

-- Returns the status that decides whether an attempt of this transaction's link can begin. A candidate of a position who
-- is at another step cannot begin the step of the link, and nobody takes a public avatar as an interview.
create or replace function app.link_status() returns text language sql stable
as $$
  select case when e.interview_id <> i.id or i.type = 'public_avatar' then 'archived'
    else app.status_for_candidates(i.merchant_id, i.id, i.status, e.position_id) end
  from public.enrolment e
  join public.interview i on i.merchant_id = e.merchant_id and i.id = app.link_interview_id()
  where e.merchant_id = app.merchant_id() and e.id = app.enrolment_id()
$$;
grant execute on function app.link_status() to app_definer;

-- Returns the devices that the open turn of an attempt needs. The interview may have changed since the attempt began.
create or replace function app.open_recording(r public.interview_result) returns text language sql stable
as $$
  select case q.mode when 'video' then 'video' when 'voice' then 'audio' end from public.result_question q
  where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and r.interview_status = 'started'
    and q.kind is not null and q.answered_at is null
$$;
grant execute on function app.open_recording(interview_result) to app_definer;

-- Returns whether attempts of an interview get a score of the pronunciation, if they are spoken.
create or replace function app.scores_pronunciation(p_is_required boolean, p_scoring jsonb) returns boolean language sql immutable
as $$
  select coalesce(p_is_required, false) or coalesce((p_scoring ->> 'ai_pronunciation')::numeric > 0, false)
$$;
grant execute on function app.scores_pronunciation(boolean, jsonb) to app_definer;

set local role app_definer;

-- Describes the interview of the link before an attempt begins (docs/taking.md#the-page-of-a-link). It returns the
-- labels of the scored questions (`topics`), but not their rubrics.
create or replace function app.link_page() returns table (
  merchant_name text, candidate_name text, link_generation integer, interview_name text, status text,
  interview_available_till text, platform_language_code text, max_seconds integer, question_count integer,
  topics text[], is_spoken boolean, recording text, assessed text[], result_view text,
  can_edit boolean, can_begin boolean, recording_days integer, result_days integer
)
language sql stable security definer set search_path = ''
as $$
  select m.name, e.name, e.link_generation, coalesce(p.name, i.name), app.link_status(),
    case when p.id is null then i.interview_available_till else p.interview_available_till end,
    i.platform_language_code, (x.max_seconds * e.time_factor)::integer, x.question_count, x.topics, x.is_spoken, greatest(x.recording, app.open_recording(r)),
    array_remove(array[
      case when x.is_spoken and app.scores_pronunciation(i.required_pronunciation, i.result_scoring) then 'pronunciation' end,
      case when (i.result_scoring ->> 'sentiment_analysis')::numeric > 0 then 'sentiment' end,
      case when x.is_spoken and (i.result_scoring ->> 'speech_cadence')::numeric > 0 then 'cadence' end
    ], null), i.result_view, i.result_view <> 'none' and i.result_enable_edit_transcript,
    r.interview_status is null or app.next_attempt(r) = 'begun', m.recording_retention_days, m.result_retention_days
  from public.enrolment e
  join public.merchant m on m.id = e.merchant_id
  join public.interview i on i.merchant_id = e.merchant_id and i.id = app.link_interview_id()
  left join public.position p on p.merchant_id = e.merchant_id and p.id = e.position_id
  cross join lateral app.what_to_expect(i.merchant_id, i.id) x
  cross join lateral app.link_result() r
  where e.merchant_id = app.merchant_id() and e.id = app.enrolment_id()
$$;
grant execute on function app.link_page() to app_link;

-- Returns what is recorded of the session of the link, for its page (docs/taking.md#the-app): in the running attempt, or
-- else in the next one.
create or replace function app.session_recording() returns text
language sql stable security definer set search_path = ''
as $$
  select case when p.attempt is null then i.recording_full_session else p.recording_full_session end
  from public.interview i
  cross join lateral app.link_result() r
  left join public.attempt_plan p on p.merchant_id = r.merchant_id and p.result_id = r.id and p.attempt = r.attempt
    and r.interview_status = 'started'
  where i.merchant_id = app.merchant_id() and i.id = app.link_interview_id()
$$;
grant execute on function app.session_recording() to app_link;

-- Returns what is recorded of the next attempt of the link (app.recordings_of), and whether its candidate may type instead
-- of recording videos.
create or replace function app.link_recordings() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select app.recordings_of(app.merchant_id(), app.link_interview_id()) || jsonb_build_object('may_type', coalesce((
    select e.may_type from public.enrolment e where e.merchant_id = app.merchant_id() and e.id = app.enrolment_id()
  ), false))
$$;
grant execute on function app.link_recordings() to app_link;

-- Returns whom a candidate talks to in the next attempt of the link, or null if the AI plays nobody.
create or replace function app.link_persona() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select app.shown_persona(i.persona) from public.interview i
  where i.merchant_id = app.merchant_id() and i.id = app.link_interview_id()
$$;
grant execute on function app.link_persona() to app_link;

-- Returns the type of the template of the link's interview, on which the appearance of its interviewer depends, or null if there
-- is none.
create or replace function app.link_template() returns text
language sql stable security definer set search_path = ''
as $$
  select t.type from public.interview i join public.interview_template t on t.id = i.interview_template_id
  where i.merchant_id = app.merchant_id() and i.id = app.link_interview_id()
$$;
grant execute on function app.link_template() to app_link;

-- Returns true if the link is for a session that a learner practices, and not for the step of a position.
create or replace function app.link_is_practice() returns boolean
language sql stable security definer set search_path = ''
as $$
  select e.position_id is null and app.is_practice(i.type)
  from public.enrolment e
  join public.interview i on i.merchant_id = e.merchant_id and i.id = app.link_interview_id()
  where e.merchant_id = app.merchant_id() and e.id = app.enrolment_id()
$$;
grant execute on function app.link_is_practice() to app_link;

-- Returns what the page of the link shows about the job or the session.
create or replace function app.link_job() returns table (
  name text, location text, department text, salary text, cover_image_url text, description text, description_long text,
  company text, is_job boolean
)
language sql stable security definer set search_path = ''
as $$
  select j.*, e.position_id is not null or i.type in ('interview', 'assessment', 'persona_interview')
  from public.enrolment e
  join public.interview i on i.merchant_id = e.merchant_id and i.id = app.link_interview_id()
  cross join lateral app.job_content(e.merchant_id, i.id, e.position_id) j
  where e.merchant_id = app.merchant_id() and e.id = app.enrolment_id()
$$;
grant execute on function app.link_job() to app_link;

reset role;
