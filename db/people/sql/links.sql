-- What changes candidates' links, and gives candidates more time (docs/taking.md#around-an-attempt).

-- When the address of an enrolment changes, links of earlier generations can no longer read anything.
create or replace function app.end_links_of_address() returns trigger language plpgsql set search_path = ''
as $$
begin
  new.readable_from := new.link_generation;
  return new;
end
$$;

set local role app_definer;

-- Sets how much time a candidate has, and closes an open request: it is granted if the candidate gets more time than
-- before. A running attempt whose time is not over gets a later deadline, never an earlier one. Also sets whether the
-- candidate may type instead of recording videos. What is null stays as it is. Returns no row for an unknown candidate.
create or replace function app.set_accommodation(p_enrolment_id uuid, p_time_factor numeric, p_may_type boolean)
returns table (time_factor real, may_type boolean, is_changed boolean, request text, deadline_at timestamptz)
language plpgsql security definer set search_path = ''
as $$
declare
  former record;
  decided text;
  extended timestamptz;
  running public.interview_result;
  longer timestamptz;
begin
  -- Transactions that change a result and its enrolment lock the result first, which avoids deadlocks.
  perform from public.interview_result r
    where r.merchant_id = app.merchant_id() and r.enrolment_id = p_enrolment_id and r.environment = app.environment()
    order by r.id for update;
  select e.time_factor, e.may_type into former from public.enrolment e
    where e.id = p_enrolment_id and e.merchant_id = app.merchant_id() and e.environment = app.environment()
      and app.caller_role() <> 'merchant_selection'
    for update;
  if not found then
    return;
  end if;
  update public.enrolment e set time_factor = coalesce(p_time_factor, e.time_factor), may_type = coalesce(p_may_type, e.may_type)
    where e.merchant_id = app.merchant_id() and e.id = p_enrolment_id
      and (e.time_factor <> p_time_factor or e.may_type <> p_may_type);
  -- The deadline is computed from the start of the attempt, because a factor that is lowered and raised again must not
  -- count twice.
  for running in
    select c.* from public.interview_result u cross join lateral app.current_attempt(u) c
    where u.merchant_id = app.merchant_id() and u.enrolment_id = p_enrolment_id and c.interview_status = 'started'
      and p_time_factor > former.time_factor and not app.is_over(c)
  loop
    select running.started_at + make_interval(secs => coalesce(i.max_duration, 3600) * p_time_factor) into longer
      from public.interview i where i.merchant_id = running.merchant_id and i.id = running.interview_id;
    if running.deadline_at < longer then
      running.deadline_at := longer;
      extended := longer;
      perform app.save_attempt(running);
    end if;
  end loop;
  update public.candidate_message m
    set outcome = case when p_time_factor > former.time_factor then 'granted' else 'declined' end, closed_at = now(),
      closed_by = app.caller_id()
    where m.merchant_id = app.merchant_id() and m.enrolment_id = p_enrolment_id and m.kind = 'more_time'
      and m.closed_at is null and p_time_factor is not null
    returning m.outcome into decided;
  return query select coalesce(p_time_factor, former.time_factor)::real, coalesce(p_may_type, former.may_type),
    coalesce(p_time_factor <> former.time_factor, false) or coalesce(p_may_type <> former.may_type, false), decided, extended;
end
$$;
grant execute on function app.set_accommodation(uuid, numeric, boolean) to app_user, app_service;

-- Ends all links of a candidate who has not begun, and the mails that are not sent yet. Without `invited_at`, the candidate
-- is registered and gets no reminders; `withdrawn_at` keeps a job's page from mailing a link. Changes nothing for a candidate who has begun, and returns no row for an unknown one.
create or replace function app.withdraw_candidate(p_enrolment_id uuid) returns table (profile_id uuid, has_begun boolean)
language plpgsql security definer set search_path = ''
as $$
declare
  candidate record;
begin
  -- A candidate who begins at the same time waits, and then has an ended link (app.begin_attempt).
  select e.profile_id, e.status not in ('registered', 'invited') as has_begun into candidate from public.enrolment e
    where e.id = p_enrolment_id and e.merchant_id = app.merchant_id() and e.environment = app.environment()
      and app.caller_role() <> 'merchant_selection'
    for update;
  if not found then
    return;
  end if;
  if not candidate.has_begun then
    update public.enrolment e set link_generation = e.link_generation + 1, invited_at = null, withdrawn_at = now()
      where e.merchant_id = app.merchant_id() and e.id = p_enrolment_id;
    update public.mail m set state = 'withdrawn'
      where m.merchant_id = app.merchant_id() and m.enrolment_id = p_enrolment_id and m.state = 'queued';
  end if;
  return query select candidate.profile_id, candidate.has_begun;
end
$$;
grant execute on function app.withdraw_candidate(uuid) to app_user, app_service;

-- Stores the answer to a candidate's request for a review by a person, once. Returns the id of the result, or null if
-- there is no open request with this id.
create or replace function app.answer_human_review(p_message_id uuid, p_reply text) returns uuid
language sql security definer set search_path = ''
as $$
  update public.candidate_message m
    set outcome = 'answered', reply = p_reply, closed_at = now(), closed_by = app.caller_id()
    where m.id = p_message_id and m.merchant_id = app.merchant_id() and m.environment = app.environment()
      and m.kind = 'human_review' and m.closed_at is null and app.caller_role() <> 'merchant_selection'
    returning m.result_id
$$;
grant execute on function app.answer_human_review(uuid, text) to app_user;

-- Marks the candidate of a reopened result as invited, if the merchant wants the candidate to be mailed. Returns no row
-- for a test, if the candidate is at another step of the position, or if the interview or position no longer accepts
-- candidates.
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
    and app.status_for_candidates(i.merchant_id, i.id, i.status, e.position_id) = 'active'
    and coalesce(app.available_until(case when e.position_id is null then i.interview_available_till else (
      select p.interview_available_till from public.position p where p.merchant_id = e.merchant_id and p.id = e.position_id
    ) end) > now(), true)
  returning e.id, e.profile_id, e.email_key, i.platform_language_code
$$;
grant execute on function app.invite_reopened(uuid) to app_user, app_service;

reset role;

create or replace trigger enrolment_address_changed before update of email_key on enrolment
  for each row when (old.email_key is distinct from new.email_key) execute function app.end_links_of_address();
