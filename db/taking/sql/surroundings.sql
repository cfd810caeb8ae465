-- Features around an attempt (docs/taking.md#around-an-attempt): the privacy notice, the text after the submit, and
-- messages from candidates to the recruiters.

set local role app_definer;

-- Returns what the pages of a link show in addition to the attempt, such as the outcome of a request for more time and
-- the messages about the current attempt.
create or replace function app.link_surroundings(
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

-- Returns the answers of the link's attempt after it has ended, as its candidate may download them. Rows without a question
-- are the recordings of the session and of the introduction.
create or replace function app.link_answers()
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

-- Stores a message of the link's candidate. Returns `stored`, `same` if the candidate has already sent this message, for
-- example with a double click, `sent_before` if the candidate has sent another one that can be sent only once, `limit` if
-- the candidate has sent the maximum number, or `closed` if the link or the attempt does not accept the message.
create or replace function app.send_candidate_message(
  p_kind text, p_text text, p_time_factor numeric, p_rating integer, p_trouble text
) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result := app.lock_link_result();
  current_factor numeric;
  earlier record;
begin
  if p_kind in ('human_review', 'survey') then
    -- These are about the submitted attempt, also while the candidate takes another one.
    select * into r from public.interview_result u where u.id = r.id;
  end if;
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

reset role;
