-- Features around an attempt (docs/taking.md#around-an-attempt): the privacy notice, more time, the text after the
-- submit, and messages from candidates to the recruiters.

alter table merchant
  -- The contact for candidates' questions about their data: an email address, an https address or a postal address.
  add column privacy_contact text check (length(privacy_contact) between 1 and 200),
  add column mail_reopened boolean not null default false;
grant select (privacy_contact, mail_reopened) on merchant to app_user, app_service;
grant update (privacy_contact, mail_reopened) on merchant to app_user;
grant select (mail_reopened) on merchant to app_definer;
grant select (privacy_contact, recording_retention_days, draft_retention_days, result_retention_days) on merchant
  to app_portal;

alter table interview
  add column next_step_text text check (length(next_step_text) between 1 and 2000),
  add column answer_within_days integer check (answer_within_days between 1 and 365);
grant update (next_step_text, answer_within_days) on interview to app_user, app_service;
grant select (next_step_text, answer_within_days) on interview to app_definer;

-- Messages that candidates send with their link. A request for more time belongs to the enrolment, every other message
-- to an attempt.
create table candidate_message (
  merchant_id uuid not null,
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  id uuid not null default uuidv7(),
  kind text not null check (kind in ('more_time', 'human_review', 'survey', 'trouble')),
  enrolment_id uuid not null,
  interview_id uuid not null,
  result_id uuid,
  attempt integer,
  time_factor numeric(3, 2) check (time_factor in (1.25, 1.5, 2)), -- that was asked for
  rating integer check (rating between 1 and 5),
  trouble text check (trouble in ('sound', 'picture', 'connection', 'question', 'other')),
  text text,
  created_at timestamptz not null default now(),
  due_at timestamptz,
  outcome text check (outcome in ('granted', 'declined', 'answered')),
  reply text,
  closed_at timestamptz,
  closed_by uuid,
  primary key (merchant_id, id),
  check ((kind = 'more_time') = (result_id is null) and (result_id is null) = (attempt is null)),
  check ((kind = 'more_time') = (time_factor is not null)),
  check ((kind = 'survey') = (rating is not null)),
  check ((kind = 'trouble') = (trouble is not null)),
  check ((outcome is null) = (closed_at is null)),
  foreign key (merchant_id, enrolment_id) references enrolment (merchant_id, id),
  foreign key (merchant_id, result_id) references interview_result (merchant_id, id)
);
create unique index candidate_message__merchant_id_result_id_attempt_kind
  on candidate_message (merchant_id, result_id, attempt, kind)
  where kind in ('human_review', 'survey');
create unique index candidate_message__merchant_id_enrolment_id_kind
  on candidate_message (merchant_id, enrolment_id, kind)
  where kind = 'more_time' and closed_at is null;
create index candidate_message__merchant_id_enrolment_id on candidate_message (merchant_id, enrolment_id);
create index candidate_message__merchant_id_result_id_attempt on candidate_message (merchant_id, result_id, attempt);
create index candidate_message__merchant_id_environment_id on candidate_message (merchant_id, environment, id);
create index candidate_message__merchant_id_created_at on candidate_message (merchant_id, created_at)
  where kind = 'more_time';

alter table candidate_message enable row level security, force row level security;
create policy candidate_message_caller_select on candidate_message for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy candidate_message_restricted_select on candidate_message as restrictive for select to app_restricted
  using (enrolment_id in (select e.id from enrolment e));
grant select on candidate_message to app_user, app_service;
create policy candidate_message_definer_select on candidate_message for select to app_definer using (true);
create policy candidate_message_definer_insert on candidate_message for insert to app_definer with check (true);
create policy candidate_message_definer_update on candidate_message for update to app_definer using (true);
create policy candidate_message_definer_delete on candidate_message for delete to app_definer using (true);
grant select, insert, update (outcome, reply, closed_at, closed_by), delete on candidate_message to app_definer;
grant update (time_factor) on enrolment to app_definer;
grant select (time_factor) on enrolment to app_user, app_service;

-- Returns what the pages of a link show in addition to the attempt, such as the outcome of a request for more time and
-- the messages about the current attempt.
create function app.link_surroundings(
  out merchant_id uuid, out time_factor real, out more_time text, out next_step_text text, out answer_by timestamptz,
  out human_review jsonb, out has_survey boolean, out trouble_reports integer, out is_erased boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  r public.interview_result := app.link_result();
  is_readable boolean := r.id is not null and app.link_rights(r) <> 'none';
begin
  merchant_id := app.merchant_id();
  is_erased := r.erased_at is not null;
  select e.time_factor into time_factor from public.enrolment e
    where e.merchant_id = app.merchant_id() and e.id = app.enrolment_id() and e.link_generation = app.link_generation();
  if time_factor is not null then
    select coalesce(m.outcome, 'open') into more_time from public.candidate_message m
      where m.merchant_id = app.merchant_id() and m.enrolment_id = app.enrolment_id() and m.kind = 'more_time'
      order by m.id desc limit 1;
  end if;
  if is_readable and r.status = 'active' then
    select i.next_step_text, r.submitted_at + make_interval(days => i.answer_within_days)
      into next_step_text, answer_by
      from public.interview i where i.merchant_id = r.merchant_id and i.id = r.interview_id;
  end if;
  select coalesce(bool_or(m.kind = 'survey'), false), count(*) filter (where m.kind = 'trouble'),
      (array_agg(jsonb_build_object('text', m.text, 'due_at', app.iso_time(m.due_at), 'reply', m.reply))
        filter (where m.kind = 'human_review')) [1]
    into has_survey, trouble_reports, human_review
    from public.candidate_message m
    where is_readable and m.merchant_id = r.merchant_id and m.result_id = r.id and m.attempt = r.attempt;
end
$$;
grant execute on function app.link_surroundings() to app_link;
alter function app.link_surroundings() owner to app_definer;

-- Returns the answers of the link's attempt after it has ended, as its candidate may download them. Rows without a question
-- are the recordings of the session and of the introduction.
create function app.link_answers()
returns table (question text, answer text, answer_original text, recording_path text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  r public.interview_result := app.link_result();
begin
  if r.id is null or r.erased_at is not null or app.link_rights(r) = 'none'
    or not (r.status = 'active' or r.interview_status in ('completed', 'completed, stopped early')) then
    return;
  end if;
  return query
    select answers.question, answers.answer, answers.answer_original, answers.recording_path from (
      select q.step_order::bigint as place, q.question_asked as question, q.answer, q.answer_original,
        q.recording_local_path as recording_path
      from public.result_question q
      where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.is_answer
      union all
      select 1000000 + p.place, null, null, null, p.path
      from unnest(array[r.video_introduction_local_path, r.recording_local_path]) with ordinality p (path, place)
      where p.path is not null
    ) answers order by answers.place;
end
$$;
grant execute on function app.link_answers() to app_link;
alter function app.link_answers() owner to app_definer;

-- Stores a message of the link's candidate. Returns `stored`, `same` if the candidate has already sent this message, for
-- example with a double click, `sent_before` if the candidate has sent another one that can be sent only once, `limit` if
-- the candidate has sent the maximum number, or `closed` if the link or the attempt does not accept the message.
create function app.send_candidate_message(
  p_kind text, p_text text, p_time_factor numeric, p_rating integer, p_trouble text
) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result := app.lock_link_result();
  current_factor numeric;
  earlier record;
begin
  if p_kind = 'more_time' then
    -- Before the first attempt there is no result to lock, so the enrolment is locked against a simultaneous request.
    select e.time_factor into current_factor from public.enrolment e
      where e.merchant_id = app.merchant_id() and e.id = app.enrolment_id() for update;
    select count(*) as number, coalesce(bool_or(m.closed_at is null), false) as is_open into earlier
      from public.candidate_message m
      where m.merchant_id = app.merchant_id() and m.enrolment_id = app.enrolment_id() and m.kind = 'more_time';
    if app.link_rights(r) is distinct from 'write' or p_time_factor <= current_factor then
      return 'closed';
    elsif earlier.number >= 3 and not earlier.is_open then
      return 'limit';
    end if;
    r := null;
  elsif r.id is null or r.interview_status is null or r.erased_at is not null or app.link_rights(r) = 'none'
    or p_kind in ('human_review', 'survey') and r.status <> 'active' then
    return 'closed';
  elsif p_kind = 'trouble' and 5 <= (
    select count(*) from public.candidate_message m
    where m.merchant_id = r.merchant_id and m.result_id = r.id and m.attempt = r.attempt and m.kind = 'trouble'
  ) then
    return 'limit';
  end if;
  insert into public.candidate_message (merchant_id, environment, kind, enrolment_id, interview_id, result_id, attempt,
      time_factor, rating, trouble, text, due_at)
    values (app.merchant_id(), app.environment(), p_kind, app.enrolment_id(), app.link_interview_id(), r.id, r.attempt, p_time_factor,
      p_rating, p_trouble, p_text, case when p_kind = 'human_review' then now() + interval '30 days' end)
    on conflict do nothing;
  if found then
    return 'stored';
  end if;
  select case when (m.time_factor, m.rating, m.text) is not distinct from (p_time_factor, p_rating, p_text)
      then 'same' else 'sent_before' end as outcome
    into earlier from public.candidate_message m
    where m.merchant_id = app.merchant_id() and m.enrolment_id = app.enrolment_id() and m.kind = p_kind
      and m.result_id is not distinct from r.id
    order by m.id desc limit 1;
  return earlier.outcome;
end
$$;
grant execute on function app.send_candidate_message(text, text, numeric, integer, text) to app_link;
alter function app.send_candidate_message(text, text, numeric, integer, text) owner to app_definer;

-- Sets how much time a candidate has, and closes an open request: it is granted if the candidate gets more time than
-- before. A running attempt whose time is not over gets a later deadline, never an earlier one. Returns no row for an
-- unknown candidate.
create function app.set_time_factor(p_enrolment_id uuid, p_time_factor numeric)
returns table (before real, request text, deadline_at timestamptz)
language plpgsql security definer set search_path = ''
as $$
declare
  former numeric;
  decided text;
  extended timestamptz;
begin
  -- Transactions that change a result and its enrolment lock the result first, which avoids deadlocks.
  perform from public.interview_result r
    where r.merchant_id = app.merchant_id() and r.enrolment_id = p_enrolment_id and r.environment = app.environment()
    order by r.id for update;
  select e.time_factor into former from public.enrolment e
    where e.id = p_enrolment_id and e.merchant_id = app.merchant_id() and e.environment = app.environment()
      and app.caller_role() <> 'merchant_selection'
    for update;
  if not found then
    return;
  end if;
  update public.enrolment e set time_factor = p_time_factor
    where e.merchant_id = app.merchant_id() and e.id = p_enrolment_id and e.time_factor <> p_time_factor;
  -- The deadline is computed from the start of the attempt, because a factor that is lowered and raised again must not
  -- count twice.
  update public.interview_result r
    set deadline_at = r.started_at + make_interval(secs => coalesce(i.max_duration, 3600) * p_time_factor)
    from public.interview i
    where i.merchant_id = r.merchant_id and i.id = r.interview_id
      and r.merchant_id = app.merchant_id() and r.enrolment_id = p_enrolment_id and r.interview_status = 'started'
      and p_time_factor > former and not app.is_over(r)
      and r.deadline_at < r.started_at + make_interval(secs => coalesce(i.max_duration, 3600) * p_time_factor)
    returning r.deadline_at into extended;
  update public.candidate_message m
    set outcome = case when p_time_factor > former then 'granted' else 'declined' end, closed_at = now(),
      closed_by = app.caller_id()
    where m.merchant_id = app.merchant_id() and m.enrolment_id = p_enrolment_id and m.kind = 'more_time'
      and m.closed_at is null
    returning m.outcome into decided;
  return query select former::real, decided, extended;
end
$$;
grant execute on function app.set_time_factor(uuid, numeric) to app_user, app_service;
alter function app.set_time_factor(uuid, numeric) owner to app_definer;

-- Stores the answer to a candidate's request for a review by a person, once. Returns the id of the result, or null if
-- there is no open request with this id.
create function app.answer_human_review(p_message_id uuid, p_reply text) returns uuid
language sql security definer set search_path = ''
as $$
  update public.candidate_message m
    set outcome = 'answered', reply = p_reply, closed_at = now(), closed_by = app.caller_id()
    where m.id = p_message_id and m.merchant_id = app.merchant_id() and m.environment = app.environment()
      and m.kind = 'human_review' and m.closed_at is null and app.caller_role() <> 'merchant_selection'
    returning m.result_id
$$;
grant execute on function app.answer_human_review(uuid, text) to app_user;
alter function app.answer_human_review(uuid, text) owner to app_definer;

-- For the worker: deletes the messages that a candidate has sent about an attempt.
create function app.erase_messages(p_result_id uuid, p_attempt integer) returns void
language sql security definer set search_path = ''
as $$
  delete from public.candidate_message m
    where m.result_id = p_result_id and m.attempt = p_attempt
      and m.merchant_id = (select r.merchant_id from public.interview_result r where r.id = p_result_id)
$$;
grant execute on function app.erase_messages(uuid, integer) to app_worker;
alter function app.erase_messages(uuid, integer) owner to app_definer;

-- For the worker: deletes requests for more time that have passed their merchant's retention time of drafts.
create function app.erase_time_requests() returns void
language sql security definer set search_path = ''
as $$
  delete from public.candidate_message m using public.merchant a
    where m.merchant_id = a.id and m.kind = 'more_time'
      and m.created_at < now() - make_interval(days => a.draft_retention_days)
$$;
grant execute on function app.erase_time_requests() to app_worker;
alter function app.erase_time_requests() owner to app_definer;

-- Marks the candidate of a reopened result as invited, if the merchant wants the candidate to be mailed. Returns no row
-- for a test, if the candidate is at another step of the position, or if the interview or position no longer accepts
-- candidates.
create function app.invite_reopened(p_result_id uuid)
returns table (enrolment_id uuid, profile_id uuid, email_key text, platform_language_code text)
language sql security definer set search_path = ''
as $$
  update public.enrolment e set invited_at = now()
  from public.interview_result r
  join public.merchant m on m.id = r.merchant_id and m.mail_reopened
  join public.interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
  where r.id = p_result_id and r.merchant_id = app.merchant_id() and r.environment = app.environment() and not r.is_test
    and e.merchant_id = r.merchant_id and e.id = r.enrolment_id and e.interview_id = r.interview_id
    and case when e.position_id is null
      then i.status = 'active' and coalesce(app.available_until(i.interview_available_till) > now(), true)
      else exists (
        select from public.position p where p.merchant_id = e.merchant_id and p.id = e.position_id and p.status = 'active'
          and coalesce(app.available_until(p.interview_available_till) > now(), true)
      ) end
  returning e.id, e.profile_id, e.email_key, i.platform_language_code
$$;
grant execute on function app.invite_reopened(uuid) to app_user, app_service;
alter function app.invite_reopened(uuid) owner to app_definer;
